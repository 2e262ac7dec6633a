#include "CWALIndex.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/// The index of one database, shared by its connections.
struct index {
    dev_t device;
    ino_t inode;
    int references;
    int region_count;
    void **regions;
    /// How many connections hold each lock shared; -1 where one holds it alone.
    int holders[SQLITE_SHM_NLOCK];
    struct index *next;
};

/// Stands behind the system's own record of an open database.
struct part {
    sqlite3_io_methods methods;
    dev_t device;
    ino_t inode;
    /// NULL before it is first needed.
    struct index *index;
    /// Locks of this connection, by bit.
    unsigned shared, exclusive;
};

static sqlite3_vfs *usual;
static sqlite3_vfs ours;
static pthread_once_t once = PTHREAD_ONCE_INIT;
/// Guards all indices: what is done under it is short.
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static struct index *indices;

static int front_bytes(void) { return (usual->szOsFile + 15) & ~15; }

static struct part *part_of(sqlite3_file *file) { return (struct part *)((char *)file + front_bytes()); }

/// Under `guard`.
static struct index *join(struct part *part) {
    if (part->index) return part->index;
    struct index *index = indices;
    while (index && (index->device != part->device || index->inode != part->inode)) index = index->next;
    if (!index) {
        index = calloc(1, sizeof *index);
        if (!index) return NULL;
        index->device = part->device;
        index->inode = part->inode;
        index->next = indices;
        indices = index;
    }
    index->references++;
    part->index = index;
    return index;
}

static int map(sqlite3_file *file, int region, int byte_count, int may_extend, void volatile **out) {
    *out = NULL;
    int code = SQLITE_OK;
    pthread_mutex_lock(&guard);
    struct index *index = join(part_of(file));
    if (!index) {
        code = SQLITE_NOMEM;
    } else if (region >= index->region_count && may_extend) {
        void **regions = realloc(index->regions, (size_t)(region + 1) * sizeof *regions);
        if (regions) index->regions = regions;
        while (regions && index->region_count <= region) {
            void *memory = calloc(1, (size_t)byte_count);
            if (!memory) break;
            regions[index->region_count++] = memory;
        }
        if (region >= index->region_count) code = SQLITE_NOMEM;
    }
    if (index && region < index->region_count) *out = index->regions[region];
    pthread_mutex_unlock(&guard);
    return code;
}

/// Whether all locks of `mask` may be had alone.
static int are_free(const struct index *index, const struct part *part, unsigned mask) {
    for (int i = 0; i < SQLITE_SHM_NLOCK; i++)
        if ((mask >> i & 1) && !(part->exclusive >> i & 1) && index->holders[i] != 0) return 0;
    return 1;
}

static void release(struct index *index, struct part *part, unsigned mask) {
    for (int i = 0; i < SQLITE_SHM_NLOCK; i++) {
        if (part->shared & mask & 1u << i) index->holders[i]--;
        if (part->exclusive & mask & 1u << i) index->holders[i] = 0;
    }
    part->shared &= ~mask;
    part->exclusive &= ~mask;
}

static int lock(sqlite3_file *file, int first, int count, int flags) {
    struct part *part = part_of(file);
    const unsigned mask = (1u << (first + count)) - (1u << first);
    int code = SQLITE_OK;
    pthread_mutex_lock(&guard);
    struct index *index = join(part);
    if (!index) {
        code = SQLITE_NOMEM;
    } else if (flags & SQLITE_SHM_UNLOCK) {
        release(index, part, mask);
    } else if (flags & SQLITE_SHM_SHARED) {
        // One lock at a time (SQLite's own rule for shared ones).
        if (!(part->shared & mask)) {
            if (index->holders[first] < 0) {
                code = SQLITE_BUSY;
            } else {
                index->holders[first]++;
                part->shared |= mask;
            }
        }
    } else if (are_free(index, part, mask)) {
        for (int i = first; i < first + count; i++) index->holders[i] = -1;
        part->exclusive |= mask;
    } else {
        code = SQLITE_BUSY;
    }
    pthread_mutex_unlock(&guard);
    return code;
}

static void barrier(sqlite3_file *file) {
    (void)file;
    atomic_thread_fence(memory_order_seq_cst);
    // As SQLite's own: also a barrier for compilers that know of no other.
    pthread_mutex_lock(&guard);
    pthread_mutex_unlock(&guard);
}

static int unmap(sqlite3_file *file, int is_last) {
    (void)is_last;
    struct part *part = part_of(file);
    pthread_mutex_lock(&guard);
    struct index *index = part->index;
    part->index = NULL;
    if (index) {
        release(index, part, ~0u);
        if (--index->references == 0) {
            struct index **place = &indices;
            while (*place != index) place = &(*place)->next;
            *place = index->next;
            for (int i = 0; i < index->region_count; i++) free(index->regions[i]);
            free(index->regions);
            free(index);
        }
    }
    pthread_mutex_unlock(&guard);
    return SQLITE_OK;
}

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *given) {
    (void)vfs;
    int code = usual->xOpen(usual, name, file, flags, given);
    if (code != SQLITE_OK || !(flags & SQLITE_OPEN_MAIN_DB) || !file->pMethods) return code;
    struct stat status;
    if (stat(name, &status) != 0) {
        file->pMethods->xClose(file);
        file->pMethods = NULL;
        return SQLITE_CANTOPEN;
    }
    struct part *part = part_of(file);
    *part = (struct part){.methods = *file->pMethods, .device = status.st_dev, .inode = status.st_ino};
    // Version 3 would map the database itself.
    part->methods.iVersion = 2;
    part->methods.xShmMap = map;
    part->methods.xShmLock = lock;
    part->methods.xShmBarrier = barrier;
    part->methods.xShmUnmap = unmap;
    file->pMethods = &part->methods;
    return SQLITE_OK;
}

static void make(void) {
    usual = sqlite3_vfs_find(NULL);
    if (!usual) return;
    ours = *usual;
    ours.zName = "sluice";
    ours.pNext = NULL;
    ours.szOsFile = front_bytes() + (int)sizeof(struct part);
    ours.xOpen = open_file;
    if (sqlite3_vfs_register(&ours, 0) != SQLITE_OK) usual = NULL;
}

const char *cwalindex_register(void) {
    pthread_once(&once, make);
    return usual ? ours.zName : NULL;
}
