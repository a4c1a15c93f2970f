/*
 * What one call answers. Everything here runs only while something is armed, after a sticky error, or on
 * every so many calls.
 */
#define _GNU_SOURCE
#include "shim.h"

#include <errno.h>
#include <time.h>

#define ERROR_STUB_LIBRARY 34
/* What a process gets that resets the GPU after a sticky error and goes on. */
#define ERROR_DEVICE_UNAVAILABLE 46
#define GPUS_MAX 64
#define ALL_GPUS UINT64_MAX
/* Shorter waits than this are spent looking at the clock: the kernel's are not that exact. */
#define SPIN_BELOW_NS 100000
/* How long a wait may go on after its fault has ended. */
#define NAP_NS 100000000

/* A context that met a sticky error never works again: per GPU, and once for all of them. */
static _Atomic int32_t sticky_codes[GPUS_MAX];
static _Atomic int32_t sticky_everywhere;
static atomic_bool is_anything_sticky;
/* The process has a context: errors are those of work in flight, not those of a start. */
static atomic_bool is_in_use;
static _Atomic uint64_t counted_generation;
static struct tcf_lock beginning = {ATOMIC_FLAG_INIT};
static _Atomic uint64_t counted_calls;
static _Atomic uint64_t draws;
/* What cudaGetLastError answers, in the thread that met the error. */
static _Thread_local int32_t last_error __attribute__((tls_model("initial-exec")));

static int current_device(const struct tcf_function *function) {
    int device = -1;
    int (*ask)(int *) = NULL;
    if (!function->is_driver) ask = (int (*)(int *))tcf_real_named("cudaGetDevice");
    if (ask == NULL) ask = (int (*)(int *))tcf_real_named("cuCtxGetDevice");
    return ask != NULL && ask(&device) == 0 ? device : -1;
}

static int device_of(const struct tcf_function *function, const uint64_t *arguments) {
    if (function->device_argument == TCF_CURRENT_DEVICE) return current_device(function);
    return (int)arguments[function->device_argument];
}

static bool is_in_mask(uint64_t mask, int device) {
    return device >= 0 && device < GPUS_MAX && ((mask >> device) & 1) != 0;
}

/* Devices are counted: only when none of them is left is there an error. */
static bool is_every_device_in(uint64_t mask, const struct tcf_function *function) {
    int count = 0;
    int (*ask)(int *) = (int (*)(int *))tcf_real_named(function->is_driver ? "cuDeviceGetCount" : "cudaGetDeviceCount");
    if (ask == NULL || ask(&count) != 0 || count <= 0 || count >= GPUS_MAX) return false;
    uint64_t all = (UINT64_C(1) << count) - 1;
    return (mask & all) == all;
}

static bool is_aimed_at(const struct tcf_block *control, const struct tcf_function *function,
                        const uint64_t *arguments) {
    if (control->gpu_mask == ALL_GPUS) return true;
    if (function->kind == TCF_COUNT) return is_every_device_in(control->gpu_mask, function);
    return is_in_mask(control->gpu_mask, device_of(function, arguments));
}

/* splitmix64: the same seed fails the same calls. */
static uint32_t draw(uint64_t seed) {
    uint64_t z = seed + (atomic_fetch_add_explicit(&draws, 1, memory_order_relaxed) + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((z ^ (z >> 31)) >> 32);
}

/* Who sees the new generation sees its counters at 0; a thread that read the block before changes nothing. */
static void begin_generation(uint64_t generation) {
    if (generation <= atomic_load_explicit(&counted_generation, memory_order_acquire)) return;
    tcf_acquire(&beginning);
    if (generation > atomic_load_explicit(&counted_generation, memory_order_relaxed)) {
        atomic_store(&counted_calls, 0);
        atomic_store(&draws, 0);
        atomic_store_explicit(&counted_generation, generation, memory_order_release);
    }
    tcf_release(&beginning);
}

static bool is_work(const struct tcf_function *function) {
    return function->kind == TCF_WORK || function->kind == TCF_ASYNC;
}

/* Whether it is this call's turn. */
static bool is_due(const struct tcf_block *control, const struct tcf_function *function, int64_t now_ms) {
    begin_generation(control->generation);
    uint64_t calls = is_work(function) ? atomic_fetch_add(&counted_calls, 1) : atomic_load(&counted_calls);
    if (calls < control->after_calls) return false;
    /* The coarse clock may still be before the moment of arming. */
    if (control->after_ms > 0 && now_ms - control->armed_at_ms < (int64_t)control->after_ms) return false;
    return control->probability == UINT32_MAX || draw(control->seed) < control->probability;
}

static int64_t monotonic_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static bool is_still_armed(uint64_t generation) {
    struct tcf_block control;
    int64_t now_ms;
    tcf_look_again();
    return tcf_read_control(&control, &now_ms) && control.generation == generation;
}

/* Slows a call down, for as long as the fault lasts that wants it. */
static void wait_ns(uint64_t duration_ns, uint64_t generation) {
    int64_t until_ns = monotonic_ns() + (int64_t)duration_ns;
    for (;;) {
        int64_t left_ns = until_ns - monotonic_ns();
        if (left_ns <= 0) return;
        if (left_ns < SPIN_BELOW_NS) continue;
        struct timespec nap = {0, left_ns < NAP_NS ? left_ns : NAP_NS};
        nanosleep(&nap, NULL);
        if (!is_still_armed(generation)) return;
    }
}

static void make_sticky(const struct tcf_block *control, const struct tcf_function *function,
                        const uint64_t *arguments) {
    int32_t none = 0;
    if (control->gpu_mask == ALL_GPUS) {
        atomic_compare_exchange_strong(&sticky_everywhere, &none, control->in_flight);
    } else {
        int device = device_of(function, arguments);
        if (device >= 0 && device < GPUS_MAX)
            atomic_compare_exchange_strong(&sticky_codes[device], &none, control->in_flight);
    }
    atomic_store_explicit(&is_anything_sticky, true, memory_order_release);
    tcf_keep_gate_shut();
}

static void change_sticky(const struct tcf_function *function, const uint64_t *arguments, int32_t code) {
    int device = device_of(function, arguments);
    if (atomic_load(&sticky_everywhere) != 0) atomic_store(&sticky_everywhere, code);
    else if (device >= 0 && device < GPUS_MAX) atomic_store(&sticky_codes[device], code);
}

static int32_t sticky_code(const struct tcf_function *function, const uint64_t *arguments) {
    if (!atomic_load_explicit(&is_anything_sticky, memory_order_acquire)) return 0;
    int32_t everywhere = atomic_load(&sticky_everywhere);
    if (everywhere != 0) return everywhere;
    int device = device_of(function, arguments);
    return device >= 0 && device < GPUS_MAX ? atomic_load(&sticky_codes[device]) : 0;
}

/* As in CUDA every thread of the runtime keeps its last error until it is asked for. */
static int32_t fail(const struct tcf_function *function, const uint64_t *arguments, int32_t code) {
    if (!function->is_driver) last_error = code;
    if (function->kind == TCF_COUNT && arguments[0] != 0) *(int *)arguments[0] = 0;
    return code;
}

static int32_t fail_in_flight(const struct tcf_block *control, const struct tcf_function *function,
                              const uint64_t *arguments) {
    if ((control->flags & TCF_FLAG_STICKY) != 0) {
        make_sticky(control, function, arguments);
        if (function->kind == TCF_ASYNC) return 0;
    }
    return fail(function, arguments, control->in_flight);
}

static int32_t judge_armed(const struct tcf_block *control, const struct tcf_function *function,
                           const uint64_t *arguments, int64_t now_ms) {
    bool in_use = atomic_load_explicit(&is_in_use, memory_order_relaxed);
    bool fails_at_start = !in_use && control->on_init != 0 && control->latency_ns == 0;
    if (!fails_at_start && !is_work(function)) return 0;
    if (!is_aimed_at(control, function, arguments) || !is_due(control, function, now_ms)) return 0;
    if (control->latency_ns > 0) {
        wait_ns(control->latency_ns, control->generation);
        return 0;
    }
    if (fails_at_start) return fail(function, arguments, control->on_init);
    return control->in_flight == 0 ? 0 : fail_in_flight(control, function, arguments);
}

static int32_t judge_last_error(const struct tcf_function *function) {
    int32_t code = last_error;
    if (code == 0 || function->kind != TCF_LAST) return code;
    last_error = 0;
    /* What the runtime remembers is older. */
    int (*forget)(void) = (int (*)(void))tcf_real_named("cudaGetLastError");
    if (forget != NULL) forget();
    return code;
}

/* After a sticky error, as a real one was seen to behave. */
static int32_t judge_sticky(const struct tcf_function *function, const uint64_t *arguments, int32_t code) {
    if (function->kind == TCF_RESET) change_sticky(function, arguments, ERROR_DEVICE_UNAVAILABLE);
    bool fails = is_work(function) || (function->kind == TCF_CONTEXT && code == ERROR_DEVICE_UNAVAILABLE);
    return fails ? fail(function, arguments, code) : 0;
}

/* The error that this call answers with; 0: it goes through. */
static int32_t judge(const struct tcf_function *function, const uint64_t *arguments) {
    struct tcf_block control;
    int64_t now_ms;
    int32_t code = 0;
    if (function->kind == TCF_LAST || function->kind == TCF_PEEK) return judge_last_error(function);
    int32_t sticky = sticky_code(function, arguments);
    if (sticky != 0) return judge_sticky(function, arguments, sticky);
    if (tcf_read_control(&control, &now_ms)) code = judge_armed(&control, function, arguments, now_ms);
    if (code == 0 && (is_work(function) || function->kind == TCF_CONTEXT) &&
        !atomic_load_explicit(&is_in_use, memory_order_relaxed))
        atomic_store_explicit(&is_in_use, true, memory_order_relaxed);
    return code;
}

static struct tcf_verdict decide(uint32_t index, const uint64_t *arguments) {
    const struct tcf_function *function = tcf_function_at(index);
    void *real = tcf_real_of(index);
    int32_t code = real == NULL ? ERROR_STUB_LIBRARY : judge(function, arguments);
    if (code != 0) return (struct tcf_verdict){NULL, (uint64_t)code};
    return (struct tcf_verdict){real, 0};
}

/* How often a call did not go straight through; read by the programs in prove/. */
__attribute__((visibility("default"))) _Atomic uint64_t tessera_cuda_fault_slow_calls;

struct tcf_verdict tcf_decide(uint32_t index, const uint64_t *arguments, void *caller) {
    int kept = errno;
    struct tcf_verdict verdict;
    bool is_question = index == TCF_DLSYM || index == TCF_DLVSYM;
    /* Others that are preloaded ask for what they stand before, also while we start. */
    if (!is_question || tcf_may_be_ours((const char *)arguments[1])) tcf_start();
    atomic_fetch_add_explicit(&tessera_cuda_fault_slow_calls, 1, memory_order_relaxed);
    if (index == TCF_DLSYM) {
        verdict = tcf_dlsym(arguments, caller);
    } else if (index == TCF_DLVSYM) {
        verdict = tcf_dlvsym(arguments, caller);
    } else {
        if (tcf_budget < 0) {
            tcf_look_again();
            tcf_budget = tcf_calls_between_looks();
        }
        verdict = decide(index, arguments);
        /* While an error waits to be asked for, every call of this thread looks closer. */
        if (last_error != 0) tcf_budget = 0;
    }
    errno = kept;
    return verdict;
}
