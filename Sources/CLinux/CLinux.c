#define _GNU_SOURCE 1
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <linux/magic.h>
#include <malloc.h>
#include <netdb.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

_Static_assert(sizeof(struct clinux_event) == sizeof(struct epoll_event), "layout");
_Static_assert(offsetof(struct clinux_event, data) == offsetof(struct epoll_event, data), "layout");
_Static_assert(CLINUX_IN == EPOLLIN && CLINUX_OUT == EPOLLOUT && CLINUX_ERR == EPOLLERR && CLINUX_HUP == EPOLLHUP
                   && CLINUX_RDHUP == EPOLLRDHUP && CLINUX_PRI == EPOLLPRI && 1u << 31 == (uint32_t)EPOLLET,
               "flags");
_Static_assert(CLINUX_ADD == EPOLL_CTL_ADD && CLINUX_DEL == EPOLL_CTL_DEL && CLINUX_MOD == EPOLL_CTL_MOD, "operations");
_Static_assert(CLINUX_EAI_NODATA == EAI_NODATA, "resolver");
_Static_assert(CLINUX_PATH_MAX == PATH_MAX, "paths");

int clinux_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

int clinux_epoll_control(int poller, int operation, int descriptor, uint32_t events, uint64_t data) {
    struct epoll_event event = {.events = events, .data.u64 = data};
    return epoll_ctl(poller, operation, descriptor, &event) == 0 ? 0 : errno;
}

int clinux_epoll_wait(int poller, struct clinux_event *events, int count, int milliseconds) {
    return (int)syscall(SYS_epoll_pwait, poller, events, count, milliseconds, NULL, 0);
}

long clinux_receive(int descriptor, void *bytes, unsigned long count) {
    return syscall(SYS_recvfrom, descriptor, bytes, count, 0, NULL, NULL);
}

long clinux_send(int descriptor, const void *bytes, unsigned long count) {
    return syscall(SYS_sendto, descriptor, bytes, count, MSG_NOSIGNAL, NULL, 0);
}

int clinux_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno; }

int clinux_open_place(const char *path) { return open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC); }

int clinux_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

int clinux_accept(int descriptor, void *address, unsigned int *length) {
    return accept4(descriptor, (struct sockaddr *)address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int clinux_peer_credentials(int descriptor, uint32_t *user, uint32_t *group) {
    struct ucred credentials;
    socklen_t length = sizeof credentials;
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0) return errno;
    *user = credentials.uid;
    *group = credentials.gid;
    return 0;
}

int clinux_peer_groups(int descriptor, uint32_t *groups, int count) {
    socklen_t length = (socklen_t)count * sizeof *groups;
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERGROUPS, groups, &length) == 0) return (int)(length / sizeof *groups);
    return errno == ERANGE ? (int)(length / sizeof *groups) : -1;
}

void clinux_name_thread(const char *name) {
    char kept[16] = {0};
    strncpy(kept, name, sizeof kept - 1);
    pthread_setname_np(pthread_self(), kept);
}

void clinux_keep_memory_private(void) {
    // Both: the limit says nothing to a program that core files are piped to, and whoever may attach needs no core.
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    struct rlimit lockable;
    if (getrlimit(RLIMIT_MEMLOCK, &lockable) != 0) return;
    lockable.rlim_cur = lockable.rlim_max;
    setrlimit(RLIMIT_MEMLOCK, &lockable);
}

int clinux_processor_count(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
    int count = CPU_COUNT(&set);
    return count > 0 ? count : 1;
}

char *const *clinux_environment(void) { return environ; }

/// Segments that cannot be written hold nothing that is not in the file: relocated data stands in writable ones.
static int drop_segments(struct dl_phdr_info *object, size_t size, void *page_size) {
    (void)size;
    const uintptr_t page = *(const uintptr_t *)page_size;
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
        if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W)) continue;
        const uintptr_t start = (object->dlpi_addr + segment->p_vaddr + page - 1) & ~(page - 1);
        const uintptr_t end = (object->dlpi_addr + segment->p_vaddr + segment->p_filesz) & ~(page - 1);
        if (end > start) madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}

void clinux_map_large_memory(void) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 128 << 10);
#endif
}

void clinux_trim_heap(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

void clinux_trim_memory(void) {
    clinux_trim_heap();
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    dl_iterate_phdr(drop_segments, &page);
}

static int facts_of(int descriptor, const char *path, struct clinux_file_facts *facts) {
    struct stat status, directory_status;
    struct statfs mount;
    if (fstat(descriptor, &status) != 0 || fstatfs(descriptor, &mount) != 0) return errno;
    facts->mode = status.st_mode & 07777;
    facts->owner = status.st_uid;
    facts->is_read_only = (mount.f_flags & ST_RDONLY) != 0;
    facts->is_memory = mount.f_type == TMPFS_MAGIC || mount.f_type == RAMFS_MAGIC;

    char real[CLINUX_PATH_MAX];
    if (realpath(path, real) == NULL) return errno;
    char *slash = strrchr(real, '/');
    slash[slash == real] = '\0';
    if (stat(real, &directory_status) != 0) return errno;
    facts->directory_owner = directory_status.st_uid;
    facts->is_directory_writable = faccessat(AT_FDCWD, real, W_OK, AT_EACCESS) == 0;
    return 0;
}

int clinux_file_facts(int descriptor, const char *path, struct clinux_file_facts *facts) {
    if (descriptor >= 0) return facts_of(descriptor, path, facts);
    int opened = open(path, O_PATH | O_CLOEXEC);
    if (opened < 0) return errno;
    int failure = facts_of(opened, path, facts);
    close(opened);
    return failure;
}

uint32_t clinux_user(void) { return geteuid(); }

_Bool clinux_real_path(const char *path, char *real) { return realpath(path, real) != NULL; }

_Bool clinux_is_container(void) {
    // Podman and LXC set `container`, systemd for what it starts in one too; a pod always has the address of its API.
    if (getenv("container") != NULL || getenv("KUBERNETES_SERVICE_HOST") != NULL) return 1;
    if (access("/.dockerenv", F_OK) == 0 || access("/run/.containerenv", F_OK) == 0) return 1;
    struct statfs root;
    return statfs("/", &root) == 0 && root.f_type == OVERLAYFS_SUPER_MAGIC;
}
