// Linux calls that Swift's Glibc module leaves out. No system header is included here: what two modules both declare,
// the compiler counts as missing in one of them. The structures that cross over are repeated, and CLinux.c asserts that
// they have the system's layout.
#pragma once

#include <stdint.h>

/// `struct epoll_event`, its data being a number.
struct clinux_event {
    uint32_t events;
    uint64_t data;
#if defined(__x86_64__)
} __attribute__((packed));
#else
};
#endif

enum {
    CLINUX_IN = 0x001,
    CLINUX_PRI = 0x002,
    CLINUX_OUT = 0x004,
    CLINUX_ERR = 0x008,
    CLINUX_HUP = 0x010,
    CLINUX_RDHUP = 0x2000,
};
/// EPOLLET, which no `int` holds.
static const uint32_t clinux_edges = 1u << 31;
enum { CLINUX_ADD = 1, CLINUX_DEL = 2, CLINUX_MOD = 3 };

/// epoll_create1(2) with EPOLL_CLOEXEC.
int clinux_epoll_create(void);
/// epoll_ctl(2); 0, or errno.
int clinux_epoll_control(int poller, int operation, int descriptor, uint32_t events, uint64_t data);

// The three calls of the byte path are made directly: in a process with several threads the C library's own are points
// of cancellation, which cost two atomic exchanges each, and nobody here cancels a thread.

/// epoll_wait(2).
int clinux_epoll_wait(int poller, struct clinux_event *events, int count, int milliseconds);
/// recv(2) without flags.
long clinux_receive(int descriptor, void *bytes, unsigned long count);
/// send(2) with MSG_NOSIGNAL.
long clinux_send(int descriptor, const void *bytes, unsigned long count);

/// eventfd(2) that never blocks and is not inherited.
int clinux_eventfd(void);

/// pipe2(2) whose ends are not inherited; 0, or errno.
int clinux_pipe(int ends[2]);

/// open(2) with O_PATH, O_NOFOLLOW and O_CLOEXEC: what is at `path`, of whatever kind, and not to be read. Negative,
/// with errno set, where that fails.
int clinux_open_place(const char *path);

/// accept4(2) with SOCK_NONBLOCK and SOCK_CLOEXEC.
int clinux_accept(int descriptor, void *address, unsigned int *length);

/// Who is at the other end of a Unix socket (SO_PEERCRED); 0, or errno.
int clinux_peer_credentials(int descriptor, uint32_t *user, uint32_t *group);
/// The supplementary groups of who is there (SO_PEERGROUPS); how many there are, at most `count` of them stored;
/// negative where the system does not say.
int clinux_peer_groups(int descriptor, uint32_t *groups, int count);

/// Names the calling thread; at most 15 characters are kept.
void clinux_name_thread(const char *name);

/// Has pieces of memory of 128 KiB or more mapped one by one, so that the system has them back as soon as they are
/// free. By itself glibc gives up doing so with the first that is freed (mallopt(3), M_MMAP_THRESHOLD), and keeps the
/// pages of a crowd of downloads for ever.
void clinux_map_large_memory(void);

/// Gives free heap back to the system (malloc_trim(3)); by itself the C library does so with the end of each heap
/// alone.
void clinux_trim_heap(void);

/// Gives back what only the start needed: free heap, and pages of the program's and its libraries' files, which are
/// clean and come back from the page cache where they are touched again.
void clinux_trim_memory(void);

/// Keeps the memory of this process from others of its user, and out of core files (PR_SET_DUMPABLE, RLIMIT_CORE), and
/// has it lock as much as it may (RLIMIT_MEMLOCK).
void clinux_keep_memory_private(void);

/// How many processors this process may run on; 1 where the system does not say.
int clinux_processor_count(void);

/// The variables of this process as `NAME=value`, with a null pointer behind the last (environ(7)).
char *const *clinux_environment(void);

/// Who may read and change a file, and what it is mounted from.
struct clinux_file_facts {
    uint32_t mode;
    uint32_t owner;
    uint32_t directory_owner;
    /// Whether this process may change the directory (faccessat(2), with the effective user).
    _Bool is_directory_writable;
    /// On a mount that nobody here can write to.
    _Bool is_read_only;
    /// On tmpfs or ramfs.
    _Bool is_memory;
};
/// The facts of the file at `path`, whose links are followed; of `descriptor` where it is not negative, which `path`
/// has led to. 0, or errno.
int clinux_file_facts(int descriptor, const char *path, struct clinux_file_facts *facts);
/// The effective user of this process.
uint32_t clinux_user(void);
enum { CLINUX_PATH_MAX = 4096 };
/// The path without links and `..`, in `CLINUX_PATH_MAX` bytes; whether it leads anywhere.
_Bool clinux_real_path(const char *path, char *real);
/// Whether this process runs in an application container, where every program belongs to the application: its engine
/// says so (Docker, Podman, Kubernetes), or the root is one that engines stack up from layers.
_Bool clinux_is_container(void);

/// getaddrinfo's answer for a name that is there without an address; beyond POSIX.
enum { CLINUX_EAI_NODATA = -5 };
