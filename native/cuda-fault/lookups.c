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

EXPORTED int cuGetProcAddress(const char *symbol, void **function, int version, uint64_t flags);
EXPORTED int cuGetProcAddress_v2(const char *symbol, void **function, int version, uint64_t flags, void *status);
EXPORTED int cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags, void *status);
EXPORTED int cudaGetDriverEntryPoint_ptsz(const char *symbol, void **function, unsigned long long flags, void *status);
EXPORTED int cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned version,
                                              unsigned long long flags, void *status);
EXPORTED int cudaGetDriverEntryPointByVersion_ptsz(const char *symbol, void **function, unsigned version,
                                                   unsigned long long flags, void *status);

enum { PROC, PROC_V2, ENTRY, ENTRY_PTSZ, BY_VERSION, BY_VERSION_PTSZ, LOOKUPS };

static struct lookup lookups[LOOKUPS] = {
    {"cuGetProcAddress", true, (void *)cuGetProcAddress, NULL},
    {"cuGetProcAddress_v2", true, (void *)cuGetProcAddress_v2, NULL},
    {"cudaGetDriverEntryPoint", false, (void *)cudaGetDriverEntryPoint, NULL},
    {"cudaGetDriverEntryPoint_ptsz", false, (void *)cudaGetDriverEntryPoint_ptsz, NULL},
    {"cudaGetDriverEntryPointByVersion", false, (void *)cudaGetDriverEntryPointByVersion, NULL},
    {"cudaGetDriverEntryPointByVersion_ptsz", false, (void *)cudaGetDriverEntryPointByVersion_ptsz, NULL},
};

static struct lookup *lookup_named(const char *name) {
    for (int i = 0; i < LOOKUPS; i++)
        if (strcmp(lookups[i].name, name) == 0) return &lookups[i];
    return NULL;
}

static bool may_be_ours(const char *name) {
    if (name == NULL) return false;
    return (name[0] == 'c' && name[1] == 'u') || strncmp(name, "__cuda", 6) == 0;
}

void *tcf_wrap(const char *name, void *real, const void *caller) {
    if (real == NULL || tcf_is_own(real)) return real;
    struct lookup *lookup = lookup_named(name);
    const struct tcf_function *function = lookup == NULL ? tcf_function_named(name) : NULL;
    if (lookup == NULL && function == NULL) return real;
    bool is_driver = lookup != NULL ? lookup->is_driver : function->is_driver;
    if (is_driver && tcf_is_runtime_library(caller)) return real;
    if (lookup == NULL) return tcf_entry_for(function, name, real);
    void *known = NULL;
    atomic_compare_exchange_strong(&lookup->real, &known, real);
    return known == NULL || known == real ? lookup->own : real;
}

static int look_up(int which, const char *symbol, void **function, uint64_t third, uint64_t fourth, void *fifth,
                   const void *caller) {
    tcf_start();
    struct lookup *lookup = &lookups[which];
    void *real = atomic_load_explicit(&lookup->real, memory_order_acquire);
    if (real == NULL) {
        real = tcf_find_real(lookup->name, lookup->is_driver);
        if (real == NULL) return ERROR_STUB_LIBRARY;
        atomic_store_explicit(&lookup->real, real, memory_order_release);
    }
    int code = ((five_arguments)real)(symbol, function, third, fourth, fifth);
    if (code != 0 || function == NULL || !may_be_ours(symbol)) return code;
    /* Asked for by its plain name, which of the two comes back depends on the version. */
    bool is_second = which == PROC_V2 && strcmp(symbol, "cuGetProcAddress") == 0 && third >= 12000;
    *function = tcf_wrap(is_second ? "cuGetProcAddress_v2" : symbol, *function, caller);
    return code;
}

#define CALLER __builtin_return_address(0)

int cuGetProcAddress(const char *symbol, void **function, int version, uint64_t flags) {
    return look_up(PROC, symbol, function, (uint64_t)version, flags, NULL, CALLER);
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

static bool is_intercepted(const char *name) {
    return may_be_ours(name) && (lookup_named(name) != NULL || tcf_function_named(name) != NULL);
}

/*
 * RTLD_NEXT is asked by others that stand between a program and CUDA; they stand behind us and get what
 * is behind them. Every question that is not ours goes on to the real dlsym as if it had been asked there.
 */
static bool is_question_for_us(void *handle, const char *name) {
    return handle != RTLD_NEXT && is_intercepted(name);
}

static struct tcf_verdict answer(void *handle, const char *name, void *found, void *caller) {
    /* Everybody's scope begins with us, whether the function exists behind us or not. */
    if (handle == RTLD_DEFAULT && found != NULL && tcf_is_own(found)) {
        bool is_driver = strncmp(name, "cuda", 4) != 0 && name[0] == 'c';
        void *real = tcf_find_real(name, is_driver);
        return (struct tcf_verdict){NULL, (uint64_t)(real == NULL ? NULL : tcf_wrap(name, real, caller))};
    }
    return (struct tcf_verdict){NULL, (uint64_t)tcf_wrap(name, found, caller)};
}

struct tcf_verdict tcf_dlsym(const uint64_t *arguments, void *caller) {
    void *handle = (void *)arguments[0];
    const char *name = (const char *)arguments[1];
    if (is_question_for_us(handle, name)) return answer(handle, name, tcf_real_dlsym(handle, name), caller);
    return (struct tcf_verdict){tcf_loader_function(TCF_LOADER_DLSYM), 0};
}

struct tcf_verdict tcf_dlvsym(const uint64_t *arguments, void *caller) {
    void *handle = (void *)arguments[0];
    const char *name = (const char *)arguments[1];
    void *(*real)(void *, const char *, const char *) =
        (void *(*)(void *, const char *, const char *))tcf_loader_function(TCF_LOADER_DLVSYM);
    if (real != NULL && is_question_for_us(handle, name))
        return answer(handle, name, real(handle, name, (const char *)arguments[2]), caller);
    return (struct tcf_verdict){(void *)real, 0};
}
