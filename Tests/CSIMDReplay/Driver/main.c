// usage: driver KERNEL RECORD
//        driver scan FILE…
#include <stdio.h>
#include <string.h>
#include "CSIMDReplay.h"
#include "driver.h"

int main(int count, char **arguments) {
    if (count > 2 && strcmp(arguments[1], "scan") == 0) {
        for (int i = 2; i < count; i++) {
            char line[4096];
            if (!sluice_scan(arguments[i], line, sizeof line)) return perror(arguments[i]), 2;
            puts(line);
        }
        return 0;
    }
    const sluice_json_kernel *kernel;
    for (size_t number = 0; count == 3 && (kernel = sluice_json_kernel_at(number)); number++) {
        if (strcmp(kernel->name, arguments[1]) == 0 && kernel->index) return replay(kernel, arguments[2]);
    }
    fprintf(stderr, "usage: driver KERNEL RECORD, or driver scan FILE...; the kernel is one that this machine has\n");
    return 64;
}
