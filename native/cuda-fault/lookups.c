/*
 * Functions by which programs find other functions. What they find is answered with a trampoline, so
 * that programs which link nothing of CUDA (PyTorch's own driver calls, Triton, a runtime that is linked
 * statically into cuBLAS or NCCL) are met as well. The runtime library itself gets the real functions of
 * the driver: its calls are part of one call that was judged already.
 */
#define _GNU_SOURCE
#include "shim.h"

#include <dlfcn.h>
#include <string.h>

/* CUDA's code for a driver that is not really there; the same in both APIs. */
#define ERROR_STUB_LIBRARY 34
#define EXPORTED __attribute__((visibility("default")))

typedef int (*five_arguments)(const char *, void **, uint64_t, uint64_t, void *);

struct lookup {
    const char *name;
    bool is_driver;
    void *own;
    void *_Atomic real;
};

EXPORTED int cuGetProcAddress(const char *symbol, void **function, int version, uint64_t flags, void *status);
EXPORTED int cuGetProcAddress_v2(const char *symbol, void **function, int version, uint64_t flags, void *status);
EXPORTED int cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags, void *status);
EXPORTED int cudaGetDriverEntryPoint_ptsz(const char *symbol, void **function, unsigned long long flags, void *status);
EXPORTED int cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned version,
                                              unsigned long long flags, void *status);
EXPORTED int cudaGetDriverEntryPointByVersion_ptsz(const char *symbol, void **function, unsigned version,
                                                   unsigned long long flags, void *status);

/* For a lookup at another address than the one that is called by its name: they pass on whatever they are given. */
#define SPARES(X) X(0) X(1) X(2) X(3)
#define DECLARE_SPARE(n)                                                                                              \
    static int spare_##n(const char *symbol, void **function, uint64_t third, uint64_t fourth, void *fifth);
SPARES(DECLARE_SPARE)

enum { PROC, PROC_V2, ENTRY, ENTRY_PTSZ, BY_VERSION, BY_VERSION_PTSZ, SPARE, LOOKUPS = SPARE + 4 };

static struct lookup lookups[LOOKUPS] = {
    {"cuGetProcAddress", true, (void *)cuGetProcAddress, NULL},
    {"cuGetProcAddress_v2", true, (void *)cuGetProcAddress_v2, NULL},
    {"cudaGetDriverEntryPoint", false, (void *)cudaGetDriverEntryPoint, NULL},
    {"cudaGetDriverEntryPoint_ptsz", false, (void *)cudaGetDriverEntryPoint_ptsz, NULL},
    {"cudaGetDriverEntryPointByVersion", false, (void *)cudaGetDriverEntryPointByVersion, NULL},
    {"cudaGetDriverEntryPointByVersion_ptsz", false, (void *)cudaGetDriverEntryPointByVersion_ptsz, NULL},
#define LIST_SPARE(n) {"", false, (void *)spare_##n, NULL},
    SPARES(LIST_SPARE)
};

static struct lookup *lookup_named(const char *name) {
    for (int i = 0; i < SPARE; i++)
        if (strcmp(lookups[i].name, name) == 0) return &lookups[i];
    return NULL;
}

bool tcf_may_be_ours(const char *name) {
    if (name == NULL) return false;
    return (name[0] == 'c' && name[1] == 'u') || strncmp(name, "__cuda", 6) == 0;
}

static void *real_of(struct lookup *lookup) {
    void *real = atomic_load_explicit(&lookup->real, memory_order_acquire);
    if (real != NULL) return real;
    real = tcf_find_real(lookup->name, lookup->is_driver);
    if (real != NULL) atomic_store_explicit(&lookup->real, real, memory_order_release);
    return real;
}

/* Ours that leads to this very address; the address itself when there is none left. */
static void *lookup_for(struct lookup *named, void *real) {
    if (real_of(named) == real) return named->own;
    /* By its plain name either of the two is found. */
    if (named == &lookups[PROC] && real_of(&lookups[PROC_V2]) == real) return lookups[PROC_V2].own;
    for (int i = SPARE; i < LOOKUPS; i++) {
        void *known = NULL;
        if (atomic_compare_exchange_strong(&lookups[i].real, &known, real) || known == real) return lookups[i].own;
    }
    return real;
}

void *tcf_wrap(const char *name, void *real, const void *caller) {
    if (real == NULL || tcf_is_own(real)) return real;
    struct lookup *lookup = lookup_named(name);
    const struct tcf_function *function = lookup == NULL ? tcf_function_named(name) : NULL;
    if (lookup == NULL && function == NULL) return real;
    bool is_driver = lookup != NULL ? lookup->is_driver : function->is_driver;
    if (is_driver && tcf_is_runtime_library(caller)) return real;
    return lookup == NULL ? tcf_entry_for(function, real) : lookup_for(lookup, real);
}

static int look_up(int which, const char *symbol, void **function, uint64_t third, uint64_t fourth, void *fifth,
                   const void *caller) {
    tcf_start();
    void *real = real_of(&lookups[which]);
    if (real == NULL) return ERROR_STUB_LIBRARY;
    int code = ((five_arguments)real)(symbol, function, third, fourth, fifth);
    if (code != 0 || function == NULL || !tcf_may_be_ours(symbol)) return code;
    *function = tcf_wrap(symbol, *function, caller);
    return code;
}

#define CALLER __builtin_return_address(0)

/* The first version has no status; what is in its place goes on to a function that does not look at it. */
int cuGetProcAddress(const char *symbol, void **function, int version, uint64_t flags, void *status) {
    return look_up(PROC, symbol, function, (uint64_t)version, flags, status, CALLER);
}

int cuGetProcAddress_v2(const char *symbol, void **function, int version, uint64_t flags, void *status) {
    return look_up(PROC_V2, symbol, function, (uint64_t)version, flags, status, CALLER);
}

int cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags, void *status) {
    return look_up(ENTRY, symbol, function, flags, (uint64_t)status, NULL, CALLER);
}

int cudaGetDriverEntryPoint_ptsz(const char *symbol, void **function, unsigned long long flags, void *status) {
    return look_up(ENTRY_PTSZ, symbol, function, flags, (uint64_t)status, NULL, CALLER);
}

int cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned version, unsigned long long flags,
                                     void *status) {
    return look_up(BY_VERSION, symbol, function, version, flags, status, CALLER);
}

int cudaGetDriverEntryPointByVersion_ptsz(const char *symbol, void **function, unsigned version,
                                          unsigned long long flags, void *status) {
    return look_up(BY_VERSION_PTSZ, symbol, function, version, flags, status, CALLER);
}

#define DEFINE_SPARE(n)                                                                                               \
    static int spare_##n(const char *symbol, void **function, uint64_t third, uint64_t fourth, void *fifth) {         \
        return look_up(SPARE + n, symbol, function, third, fourth, fifth, CALLER);                                    \
    }
SPARES(DEFINE_SPARE)

static bool is_intercepted(const char *name) {
    return tcf_may_be_ours(name) && (lookup_named(name) != NULL || tcf_function_named(name) != NULL);
}

/*
 * RTLD_NEXT is asked by others that stand between a program and CUDA; they stand behind us and get what
 * is behind them. Every question that is not ours goes on to the real dlsym as if it had been asked there.
 */
static bool is_question_for_us(void *handle, const char *name) {
    return handle != RTLD_NEXT && is_intercepted(name);
}

/* Where a search begins with us it ends with us, whether the function exists behind us or not. */
static void *behind_us(const char *name, void *found, void *caller) {
    struct lookup *lookup = lookup_named(name);
    bool is_driver = lookup != NULL ? lookup->is_driver : tcf_function_named(name)->is_driver;
    if (tcf_is_visible(name, is_driver)) {
        void *real = lookup != NULL ? real_of(lookup) : tcf_real_named(name);
        return real == NULL ? found : tcf_wrap(name, real, caller);
    }
    /* Leaves the error that the program will ask for. */
    return tcf_real_dlsym(RTLD_NEXT, name);
}

static struct tcf_verdict answer(const char *name, void *found, void *caller) {
    bool is_ours = found != NULL && tcf_is_own(found);
    void *given = is_ours ? behind_us(name, found, caller) : tcf_wrap(name, found, caller);
    return (struct tcf_verdict){NULL, (uint64_t)given};
}

struct tcf_verdict tcf_dlsym(const uint64_t *arguments, void *caller) {
    void *handle = (void *)arguments[0];
    const char *name = (const char *)arguments[1];
    if (is_question_for_us(handle, name)) return answer(name, tcf_real_dlsym(handle, name), caller);
    return (struct tcf_verdict){tcf_loader_function(TCF_LOADER_DLSYM), 0};
}

struct tcf_verdict tcf_dlvsym(const uint64_t *arguments, void *caller) {
    void *handle = (void *)arguments[0];
    const char *name = (const char *)arguments[1];
    void *(*real)(void *, const char *, const char *) =
        (void *(*)(void *, const char *, const char *))tcf_loader_function(TCF_LOADER_DLVSYM);
    if (real != NULL && is_question_for_us(handle, name))
        return answer(name, real(handle, name, (const char *)arguments[2]), caller);
    return (struct tcf_verdict){(void *)real, 0};
}
