// For qemu's user emulator: counts instructions between a program's marks, which are system calls that there are none
// of (Tests/CSIMDReplay/Driver/counted.c). Prints how many there were for each kind of mark. The declarations are those
// of qemu's plugin interface, version 1 (docs/devel/tcg-plugins.rst).
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef struct qemu_info_t qemu_info_t;
enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS };
void qemu_plugin_register_vcpu_tb_trans_cb(
    qemu_plugin_id_t id, void (*callback)(qemu_plugin_id_t id, struct qemu_plugin_tb *tb));
void qemu_plugin_register_vcpu_tb_exec_cb(
    struct qemu_plugin_tb *tb, void (*callback)(unsigned vcpu, void *data), enum qemu_plugin_cb_flags flags,
    void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t number);
const char *qemu_plugin_insn_symbol(const struct qemu_plugin_insn *insn);
void qemu_plugin_register_vcpu_syscall_cb(
    qemu_plugin_id_t id,
    void (*callback)(
        qemu_plugin_id_t id, unsigned vcpu, int64_t number, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4,
        uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8));
void qemu_plugin_register_atexit_cb(
    qemu_plugin_id_t id, void (*callback)(qemu_plugin_id_t id, void *data), void *data);

EXPORT int qemu_plugin_version = 1;

enum { MARK = 0x51C0, KINDS = 4 };

typedef struct block {
    uint64_t instructions, executed[KINDS];
    const char *symbol;
    struct block *next;
} block;
static block *blocks;
static unsigned kind;
/// Whether each block is printed with the function that it is of, for a profile.
static bool shows_symbols;

static void executed(unsigned vcpu, void *data) {
    (void)vcpu;
    ((block *)data)->executed[kind]++;
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb) {
    (void)id;
    block *new = calloc(1, sizeof *new);
    if (!new) abort();
    new->instructions = qemu_plugin_tb_n_insns(tb);
    const char *symbol = qemu_plugin_insn_symbol(qemu_plugin_tb_get_insn(tb, 0));
    new->symbol = symbol ? symbol : "";
    new->next = blocks;
    blocks = new;
    qemu_plugin_register_vcpu_tb_exec_cb(tb, executed, QEMU_PLUGIN_CB_NO_REGS, new);
}

static void called(
    qemu_plugin_id_t id, unsigned vcpu, int64_t number, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4,
    uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8) {
    (void)id, (void)vcpu, (void)a2, (void)a3, (void)a4, (void)a5, (void)a6, (void)a7, (void)a8;
    if (number == MARK) kind = a1 < KINDS ? (unsigned)a1 : 0;
}

static void ended(qemu_plugin_id_t id, void *data) {
    (void)id, (void)data;
    uint64_t sums[KINDS] = {0};
    for (block *b = blocks; b; b = b->next) {
        for (int i = 1; i < KINDS; i++) {
            sums[i] += b->executed[i] * b->instructions;
            if (shows_symbols && b->executed[i]) {
                fprintf(stderr, "%d %s %" PRIu64 "\n", i, b->symbol, b->executed[i] * b->instructions);
            }
        }
    }
    fprintf(stderr, "index %" PRIu64 " utf8 %" PRIu64 " walk %" PRIu64 "\n", sums[1], sums[2], sums[3]);
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int count, char **arguments) {
    (void)info;
    shows_symbols = count > 0 && strcmp(arguments[0], "symbols=on") == 0;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_vcpu_syscall_cb(id, called);
    qemu_plugin_register_atexit_cb(id, ended, NULL);
    return 0;
}
