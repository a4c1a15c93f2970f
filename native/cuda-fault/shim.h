/* What the parts of the shim know of each other. */
#ifndef TESSERA_CUDA_FAULT_SHIM_H
#define TESSERA_CUDA_FAULT_SHIM_H

/* Trampolines for functions that are looked up at run time; the driver has some 600. */
#define TCF_POOL 1024
/* In place of the index of an entry. */
#define TCF_DLSYM 0x7ffffffe
#define TCF_DLVSYM 0x7fffffff

#ifndef __ASSEMBLER__
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "control-block.h"

/* How a call behaves; see decide.c. */
enum tcf_kind {
    TCF_QUERY,   /* CUDA answers it also after a sticky error, but not where no GPU can be found */
    TCF_COUNT,   /* the same, and its first argument points to a number of devices */
    TCF_CONTEXT, /* as a query, and the process uses the GPU from then on */
    TCF_RESET,   /* as a query; after a sticky error the GPU is of no use to this process afterwards */
    TCF_WORK,    /* needs a healthy context */
    TCF_ASYNC,   /* the same, but its error shows at the call after it */
    TCF_LAST,    /* cudaGetLastError */
    TCF_PEEK     /* cudaPeekAtLastError */
};

#define TCF_CURRENT_DEVICE (-1)

enum tcf_loader { TCF_LOADER_DLOPEN, TCF_LOADER_DLSYM, TCF_LOADER_DLVSYM, TCF_LOADER_DLERROR };

struct tcf_function {
    const char *name;
    enum tcf_kind kind;
    /* Which argument is the number of a device. */
    int device_argument;
    bool is_driver;
};

/* Where the trampoline goes on: to a function with the arguments as they came, or back with a value. */
struct tcf_verdict {
    void *jump;
    uint64_t value;
};

/* trampolines.S; the first entries are the exported functions in the order of functions.h. */
extern void *_Atomic tcf_slots[];
extern void *const tcf_entries[];
extern const uint32_t tcf_static_count;
extern const struct tcf_function tcf_functions[];
/* Calls of this thread until the next one looks closer. */
extern _Thread_local int32_t tcf_budget __attribute__((tls_model("initial-exec")));
/* Points to a word: while that is 0, calls go straight through. */
extern const volatile uint32_t *_Atomic tcf_gate;

/* control.c */
void tcf_start(void);
/* Looks now and then whether the file has come, gone or been replaced. */
void tcf_look_again(void);
/* How many calls may go straight through before the next look. */
int32_t tcf_calls_between_looks(void);
/* The block as it is now; false when it is disarmed, past its time, or half-written. */
bool tcf_read_control(struct tcf_block *block, int64_t *now_ms);
/* From now on every call of this process looks closer. */
void tcf_keep_gate_shut(void);
int64_t tcf_clock_ms(int clock);

/* objects.c: what is loaded, without asking dlsym, which is ours. */
void *tcf_real_dlsym(void *handle, const char *name);
/* NULL in a process that has no such function. */
void *tcf_loader_function(enum tcf_loader which);
bool tcf_is_own(const void *address);
/* Whether code at this address belongs to libcudart.so. */
bool tcf_is_runtime_library(const void *address);
/*
 * The function that the user's program would have called. Its library stays loaded from then on, and
 * dlerror has nothing to say.
 */
void *tcf_find_real(const char *name, bool is_driver);
/* The same without what only one module sees. */
bool tcf_is_visible(const char *name, bool is_driver);

/* lookups.c */
/* Whether a name could be one of ours, by its first letters; needs nothing that has to be started. */
bool tcf_may_be_ours(const char *name);
struct tcf_verdict tcf_dlsym(const uint64_t *arguments, void *caller);
struct tcf_verdict tcf_dlvsym(const uint64_t *arguments, void *caller);
/* The trampoline for a function that was looked up; the function itself where it is none of ours. */
void *tcf_wrap(const char *name, void *real, const void *caller);

/* entries.c */
void tcf_build_names(void);
const struct tcf_function *tcf_function_named(const char *name);
const struct tcf_function *tcf_function_at(uint32_t index);
/* The real function of an entry; calls go straight to it from then on. */
void *tcf_real_of(uint32_t index);
/* The real function of that name, for our own questions; kept. */
void *tcf_real_named(const char *name);
/* The trampoline that leads to this very address. */
void *tcf_entry_for(const struct tcf_function *function, void *real);

/* decide.c */
struct tcf_verdict tcf_decide(uint32_t index, const uint64_t *arguments, void *caller);

struct tcf_lock {
    atomic_flag held;
};
static inline void tcf_acquire(struct tcf_lock *lock) {
    /* In the child of a fork the holder may not exist; nobody else holds one for so long. */
    for (uint32_t tries = 0; tries < 100000000; tries++)
        if (!atomic_flag_test_and_set_explicit(&lock->held, memory_order_acquire)) return;
}
static inline void tcf_release(struct tcf_lock *lock) {
    atomic_flag_clear_explicit(&lock->held, memory_order_release);
}
#endif

#endif
