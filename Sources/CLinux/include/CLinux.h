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

/// Keeps the memory of this process from others of its user, and out of core files (PR_SET_DUMPABLE, RLIMIT_CORE).
void clinux_keep_memory_private(void);

/// How many processors this process may run on; 1 where the system does not say.
int clinux_processor_count(void);

/// getaddrinfo's answer for a name that is there without an address; beyond POSIX.
enum { CLINUX_EAI_NODATA = -5 };
