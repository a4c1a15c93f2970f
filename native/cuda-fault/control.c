/* The control block as this process sees it. */
#define _GNU_SOURCE
#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define LOOK_EVERY_MS 100
/* A thread looks after so many of its calls; sooner while there is no block that could be armed. */
#define CALLS_WITH_BLOCK 256
#define CALLS_WITHOUT_BLOCK 16
/* An update takes well under a microsecond. */
#define READ_TRIES 64

static const volatile uint32_t word_zero = 0;
static const volatile uint32_t word_one = 1;

_Thread_local int32_t tcf_budget __attribute__((tls_model("initial-exec")));
const volatile uint32_t *_Atomic tcf_gate = &word_zero;

static atomic_bool started;
static struct tcf_lock starting = {ATOMIC_FLAG_INIT};
static atomic_flag looking = ATOMIC_FLAG_INIT;
static char path[PATH_MAX];
/* One page of addresses for good: other files are mapped over it, never beside it. */
static const volatile struct tcf_block *block;
static _Atomic int64_t looked_at_ms;
static atomic_bool is_mapped;
static uint64_t mapped_device, mapped_inode;

int64_t tcf_clock_ms(int clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Through the system call: the C library's own has another name in older versions. */
static bool file_status(int folder, const char *name, int flags, struct stat *status) {
    return syscall(SYS_newfstatat, folder, name, status, flags) == 0;
}

static void map_nothing(void) {
    if (!is_mapped) return;
    mmap((void *)block, TCF_BLOCK_BYTES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    is_mapped = false;
}

static bool is_usable(const struct stat *status) {
    return S_ISREG(status->st_mode) && status->st_size >= TCF_BLOCK_BYTES;
}

static void map_file(void) {
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0) return;
    if (file_status(file, "", AT_EMPTY_PATH, &status) && is_usable(&status) &&
        mmap((void *)block, TCF_BLOCK_BYTES, PROT_READ, MAP_SHARED | MAP_FIXED, file, 0) != MAP_FAILED) {
        is_mapped = true;
        mapped_device = status.st_dev;
        mapped_inode = status.st_ino;
    }
    close(file);
}

static void look(void) {
    struct stat status;
    if (atomic_flag_test_and_set_explicit(&looking, memory_order_acquire)) return;
    if (!file_status(AT_FDCWD, path, 0, &status)) {
        if (errno == ENOENT || errno == ENOTDIR) map_nothing();
    } else if (!is_usable(&status)) {
        map_nothing();
    } else if (!is_mapped || status.st_dev != mapped_device || status.st_ino != mapped_inode) {
        map_file();
    }
    atomic_flag_clear_explicit(&looking, memory_order_release);
}

static void start_once(void) {
    tcf_build_names();
    const char *given = getenv("TESSERA_CUDA_FAULT_CONTROL");
    if (given == NULL || given[0] != '/' || strlen(given) >= sizeof path) return;
    void *page = mmap(NULL, TCF_BLOCK_BYTES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return;
    strcpy(path, given);
    block = page;
    look();
    atomic_store_explicit(&looked_at_ms, tcf_clock_ms(CLOCK_MONOTONIC_COARSE), memory_order_relaxed);
    atomic_store_explicit(&tcf_gate, &block->armed, memory_order_release);
}

void tcf_start(void) {
    /* What starting calls (mmap, open) may be somebody else's function that comes back to us. */
    static _Thread_local bool is_starting __attribute__((tls_model("initial-exec")));
    if (atomic_load_explicit(&started, memory_order_acquire) || is_starting) return;
    is_starting = true;
    tcf_acquire(&starting);
    if (!atomic_load_explicit(&started, memory_order_relaxed)) start_once();
    atomic_store_explicit(&started, true, memory_order_release);
    tcf_release(&starting);
    is_starting = false;
}

__attribute__((constructor)) static void on_load(void) {
    int kept = errno;
    tcf_start();
    errno = kept;
}

int32_t tcf_calls_between_looks(void) {
    if (block == NULL) return INT32_MAX;
    return atomic_load_explicit(&is_mapped, memory_order_relaxed) ? CALLS_WITH_BLOCK : CALLS_WITHOUT_BLOCK;
}

void tcf_look_again(void) {
    if (block == NULL) return;
    int64_t now_ms = tcf_clock_ms(CLOCK_MONOTONIC_COARSE);
    int64_t before_ms = atomic_load_explicit(&looked_at_ms, memory_order_relaxed);
    if (now_ms - before_ms < LOOK_EVERY_MS) return;
    /* One thread looks, the others go on. */
    if (atomic_compare_exchange_strong(&looked_at_ms, &before_ms, now_ms)) look();
}

void tcf_keep_gate_shut(void) {
    atomic_store_explicit(&tcf_gate, &word_one, memory_order_release);
}

static uint64_t checksum_of(const uint64_t *words) {
    uint64_t sum = TCF_FNV_START;
    for (int i = 0; i < TCF_BODY_WORDS; i++) sum = (sum ^ words[i]) * TCF_FNV_PRIME;
    return sum;
}

/* Copies the body; true when it is whole. */
static bool copy_body(uint64_t *words) {
    /* What this thread last found whole needs no checksum again. */
    static _Thread_local uint64_t known[TCF_BODY_WORDS + 1] __attribute__((tls_model("initial-exec")));
    const volatile uint64_t *from = (const volatile uint64_t *)((const volatile char *)block + TCF_BODY_OFFSET);
    uint64_t differs = 0;
    for (int i = 0; i <= TCF_BODY_WORDS; i++) {
        words[i] = from[i];
        differs |= words[i] ^ known[i];
    }
    if (differs == 0 && words[0] != 0) return true;
    if (checksum_of(words) != words[TCF_BODY_WORDS]) return false;
    memcpy(known, words, sizeof known);
    return true;
}

bool tcf_read_control(struct tcf_block *copy, int64_t *now_ms) {
    if (block == NULL || block->armed == 0) return false;
    /* The body was written before the word. */
    atomic_thread_fence(memory_order_acquire);
    if (block->magic != TCF_MAGIC || block->version != TCF_VERSION) return false;
    uint64_t *words = (uint64_t *)((char *)copy + TCF_BODY_OFFSET);
    for (int tries = 0; !copy_body(words); tries++) {
        if (tries == READ_TRIES) return false;
    }
    *now_ms = tcf_clock_ms(CLOCK_REALTIME_COARSE);
    return *now_ms < copy->expires_at_ms;
}
