/* The table of intercepted functions, and which real function each trampoline stands for. */
#include "shim.h"

#include <string.h>

#define F(name, kind, device) {#name, kind, device, false},
#define D(name, kind, device) {#name, kind, device, true},
const struct tcf_function tcf_functions[] = {
#include "functions.h"
};
#undef F
#undef D

#define STATIC_COUNT (sizeof tcf_functions / sizeof tcf_functions[0])
#define ENTRY_COUNT (STATIC_COUNT + TCF_POOL)
#define HASH_SIZE 2048
_Static_assert(STATIC_COUNT * 2 < HASH_SIZE, "the table of names must have room");
#define NAME_MAX_CHARS 96

static void *_Atomic real_functions[ENTRY_COUNT];
/* Of entries that were made at run time. */
static const struct tcf_function *_Atomic pool_functions[TCF_POOL];
static uint32_t pool_used;
static struct tcf_lock lock = {ATOMIC_FLAG_INIT};
/* 1 more than the index; 0 is empty. */
static uint16_t by_name[HASH_SIZE];

static uint32_t hash_of(const char *name) {
    uint32_t hash = 2166136261u;
    for (; *name != '\0'; name++) hash = (hash ^ (unsigned char)*name) * 16777619u;
    return hash;
}

/* A name without the endings that tell its variants apart: cuMemAlloc_v2_ptds is a cuMemAlloc. */
static void plain_name(const char *name, char plain[NAME_MAX_CHARS]) {
    size_t length = strlen(name);
    if (length >= NAME_MAX_CHARS) length = NAME_MAX_CHARS - 1;
    memcpy(plain, name, length);
    plain[length] = '\0';
    for (;;) {
        char *ending = strrchr(plain, '_');
        if (ending == NULL || ending == plain) return;
        bool is_version = ending[1] == 'v' && ending[2] >= '1' && ending[2] <= '9' && ending[3] == '\0';
        if (!is_version && strcmp(ending, "_ptds") != 0 && strcmp(ending, "_ptsz") != 0) return;
        *ending = '\0';
    }
}

static void remember_name(const char *name, uint16_t index) {
    for (uint32_t at = hash_of(name) % HASH_SIZE;; at = (at + 1) % HASH_SIZE) {
        if (by_name[at] == 0) by_name[at] = index;
        if (strcmp(tcf_functions[by_name[at] - 1].name, name) == 0) return;
    }
}

void tcf_build_names(void) {
    for (size_t i = 0; i < STATIC_COUNT; i++) remember_name(tcf_functions[i].name, (uint16_t)(i + 1));
}

static const struct tcf_function *exactly_named(const char *name) {
    for (uint32_t at = hash_of(name) % HASH_SIZE; by_name[at] != 0; at = (at + 1) % HASH_SIZE) {
        const struct tcf_function *function = &tcf_functions[by_name[at] - 1];
        if (strcmp(function->name, name) == 0) return function;
    }
    return NULL;
}

const struct tcf_function *tcf_function_named(const char *name) {
    char plain[NAME_MAX_CHARS];
    char versioned[NAME_MAX_CHARS + 4];
    const struct tcf_function *found = exactly_named(name);
    if (found != NULL) return found;
    plain_name(name, plain);
    found = exactly_named(plain);
    if (found != NULL) return found;
    strcpy(versioned, plain);
    strcat(versioned, "_v2");
    return exactly_named(versioned);
}

const struct tcf_function *tcf_function_at(uint32_t index) {
    if (index < STATIC_COUNT) return &tcf_functions[index];
    return atomic_load_explicit(&pool_functions[index - STATIC_COUNT], memory_order_acquire);
}

void *tcf_real_of(uint32_t index) {
    void *real = atomic_load_explicit(&real_functions[index], memory_order_acquire);
    if (real == NULL) {
        const struct tcf_function *function = tcf_function_at(index);
        real = tcf_find_real(function->name, function->is_driver);
        if (real == NULL) return NULL;
        atomic_store_explicit(&real_functions[index], real, memory_order_release);
    }
    /* Written once: threads share the line that it is in. */
    if (atomic_load_explicit(&tcf_slots[index], memory_order_relaxed) != real)
        atomic_store_explicit(&tcf_slots[index], real, memory_order_release);
    return real;
}

void *tcf_real_named(const char *name) {
    const struct tcf_function *function = exactly_named(name);
    if (function == NULL) return NULL;
    void *_Atomic *kept = &real_functions[function - tcf_functions];
    void *real = atomic_load_explicit(kept, memory_order_acquire);
    if (real != NULL) return real;
    real = tcf_find_real(name, function->is_driver);
    if (real != NULL) atomic_store_explicit(kept, real, memory_order_release);
    return real;
}

/* Under the lock. */
static void *find_or_make(const struct tcf_function *function, void *real) {
    uint32_t own = (uint32_t)(function - tcf_functions);
    void *known = atomic_load_explicit(&real_functions[own], memory_order_acquire);
    if (known == real) return tcf_entries[own];
    /*
     * What somebody found may be another variant, or go with its library: it gets an entry of its own, and
     * only tcf_find_real says what an exported one leads to. An address may come back as another function.
     */
    for (uint32_t i = 0; i < pool_used; i++) {
        uint32_t index = (uint32_t)STATIC_COUNT + i;
        if (atomic_load_explicit(&real_functions[index], memory_order_relaxed) == real &&
            atomic_load_explicit(&pool_functions[i], memory_order_relaxed) == function)
            return tcf_entries[index];
    }
    if (pool_used == TCF_POOL) return real;
    uint32_t index = (uint32_t)STATIC_COUNT + pool_used;
    atomic_store_explicit(&pool_functions[pool_used++], function, memory_order_release);
    atomic_store_explicit(&real_functions[index], real, memory_order_release);
    return tcf_entries[index];
}

void *tcf_entry_for(const struct tcf_function *function, void *real) {
    tcf_acquire(&lock);
    void *entry = find_or_make(function, real);
    tcf_release(&lock);
    return entry;
}
