/*
 * What is loaded into this process. The shim exports dlsym, so it cannot ask dlsym for the real one: the
 * tables of the C library are read instead, which works the same with every version of it.
 */
#define _GNU_SOURCE
#include "shim.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

/* Which object an address belongs to. */
struct holder {
    const void *address;
    uintptr_t base;
    bool is_runtime;
};

static int search_holder(struct dl_phdr_info *object, size_t size, void *data);

static struct holder holder_of(const void *address) {
    struct holder holder = {address, 0, false};
    dl_iterate_phdr(search_holder, &holder);
    return holder;
}

bool tcf_is_own(const void *address) {
    static _Atomic uintptr_t own;
    uintptr_t base = atomic_load_explicit(&own, memory_order_relaxed);
    if (base == 0) {
        base = holder_of((const void *)tcf_slots).base;
        atomic_store_explicit(&own, base, memory_order_relaxed);
    }
    return holder_of(address).base == base;
}

bool tcf_is_runtime_library(const void *address) {
    return holder_of(address).is_runtime;
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

static bool starts_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

static int search_holder(struct dl_phdr_info *object, size_t size, void *data) {
    (void)size;
    struct holder *holder = data;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        uintptr_t start = object->dlpi_addr + part->p_vaddr;
        uintptr_t at = (uintptr_t)holder->address;
        if (part->p_type != PT_LOAD || at < start || at >= start + part->p_memsz) continue;
        holder->base = object->dlpi_addr;
        holder->is_runtime = starts_with(base_name(object->dlpi_name), "libcudart");
        return 1;
    }
    return 0;
}

/* Tables of one loaded object. */
struct tables {
    const ElfW(Sym) *symbols;
    const char *strings;
    const uint32_t *hash;
};

static const void *table_at(const struct dl_phdr_info *object, ElfW(Addr) address) {
    /* The loader writes addresses over offsets, except where the table is read-only. */
    return (const void *)(address < object->dlpi_addr ? object->dlpi_addr + address : address);
}

static struct tables tables_of(const struct dl_phdr_info *object) {
    struct tables found = {NULL, NULL, NULL};
    for (int i = 0; i < object->dlpi_phnum; i++) {
        if (object->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
        const ElfW(Dyn) *entry = (const void *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
        for (; entry->d_tag != DT_NULL; entry++) {
            const void *table = table_at(object, entry->d_un.d_ptr);
            if (entry->d_tag == DT_SYMTAB) found.symbols = table;
            if (entry->d_tag == DT_STRTAB) found.strings = table;
            if (entry->d_tag == DT_GNU_HASH) found.hash = table;
        }
    }
    return found;
}

static uint32_t gnu_hash(const char *name) {
    uint32_t hash = 5381;
    for (; *name != '\0'; name++) hash = hash * 33 + (unsigned char)*name;
    return hash;
}

static void *symbol_in(const struct dl_phdr_info *object, const char *name) {
    struct tables tables = tables_of(object);
    if (tables.symbols == NULL || tables.strings == NULL || tables.hash == NULL) return NULL;
    uint32_t buckets = tables.hash[0], first = tables.hash[1], words = tables.hash[2];
    const uint32_t *bucket = tables.hash + 4 + words * (sizeof(ElfW(Addr)) / sizeof(uint32_t));
    const uint32_t *chain = bucket + buckets;
    if (buckets == 0) return NULL;
    uint32_t wanted = gnu_hash(name);
    uint32_t index = bucket[wanted % buckets];
    if (index < first) return NULL;
    for (;; index++) {
        uint32_t hash = chain[index - first];
        const ElfW(Sym) *symbol = &tables.symbols[index];
        if ((hash | 1) == (wanted | 1) && symbol->st_shndx != SHN_UNDEF && symbol->st_value != 0 &&
            ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && strcmp(tables.strings + symbol->st_name, name) == 0)
            return (void *)(object->dlpi_addr + symbol->st_value);
        if (hash & 1) return NULL;
    }
}

struct search {
    const char *name;
    void *found;
};

static int search_libc(struct dl_phdr_info *object, size_t size, void *data) {
    (void)size;
    struct search *search = data;
    const char *file = base_name(object->dlpi_name);
    /* Before version 2.34 these functions are in a library of their own. */
    static const char *const starts[] = {"libc.so", "libdl.so", "libc-", "libdl-", "ld-musl-", "libc.musl-"};
    bool is_libc = false;
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) is_libc |= starts_with(file, starts[i]);
    if (!is_libc) return 0;
    void *found = symbol_in(object, search->name);
    if (found != NULL && !tcf_is_own(found)) search->found = found;
    return search->found != NULL;
}

void *tcf_loader_function(enum tcf_loader which) {
    static const char *const names[] = {"dlopen", "dlsym", "dlvsym", "dlerror"};
    static void *_Atomic known[sizeof names / sizeof names[0]];
    void *found = atomic_load_explicit(&known[which], memory_order_relaxed);
    if (found != NULL) return found;
    struct search search = {names[which], NULL};
    dl_iterate_phdr(search_libc, &search);
    atomic_store_explicit(&known[which], search.found, memory_order_relaxed);
    return search.found;
}

void *tcf_real_dlsym(void *handle, const char *name) {
    void *(*function)(void *, const char *) =
        (void *(*)(void *, const char *))tcf_loader_function(TCF_LOADER_DLSYM);
    if (function == NULL) return NULL;
    void *found = function(handle, name);
    /* Keeps the compiler from jumping there: dlsym looks at who called it. */
    __asm__ volatile("" : "+r"(found));
    return found;
}

/* Which loaded file: the one whose name starts so, or the one that an address is in. */
struct library {
    const char *start;
    uintptr_t base;
    char path[4096];
};

static int search_library(struct dl_phdr_info *object, size_t size, void *data) {
    (void)size;
    struct library *library = data;
    bool is_it = library->start != NULL ? starts_with(base_name(object->dlpi_name), library->start)
                                        : object->dlpi_addr == library->base;
    if (!is_it) return 0;
    return snprintf(library->path, sizeof library->path, "%s", object->dlpi_name) < (int)sizeof library->path;
}

/* A handle of what is loaded, never given back: the library stays. */
static void *keep_library(struct library *library) {
    void *(*open_library)(const char *, int) = (void *(*)(const char *, int))tcf_loader_function(TCF_LOADER_DLOPEN);
    if (open_library == NULL || dl_iterate_phdr(search_library, library) == 0 || library->path[0] == '\0') return NULL;
    return open_library(library->path, RTLD_LAZY | RTLD_NOLOAD);
}

/* A library that was loaded for one module alone is not where RTLD_NEXT looks. */
static void *find_in_library(const char *start, const char *name) {
    struct library library = {start, 0, ""};
    void *handle = keep_library(&library);
    return handle == NULL ? NULL : tcf_real_dlsym(handle, name);
}

static void *find_visible(const char *name, bool is_driver) {
    void *found = tcf_real_dlsym(RTLD_NEXT, name);
    if (found == NULL || tcf_is_own(found)) found = find_in_library(is_driver ? "libcuda.so" : "libcudart", name);
    return found == NULL || tcf_is_own(found) ? NULL : found;
}

static int search_everywhere(struct dl_phdr_info *object, size_t size, void *data) {
    (void)size;
    struct search *search = data;
    void *found = symbol_in(object, search->name);
    if (found != NULL && !tcf_is_own(found)) search->found = found;
    return search->found != NULL;
}

static void forget_loader_error(void) {
    char *(*ask)(void) = (char *(*)(void))tcf_loader_function(TCF_LOADER_DLERROR);
    if (ask != NULL) ask();
}

bool tcf_is_visible(const char *name, bool is_driver) {
    bool is_visible = find_visible(name, is_driver) != NULL;
    forget_loader_error();
    return is_visible;
}

void *tcf_find_real(const char *name, bool is_driver) {
    void *found = find_visible(name, is_driver);
    if (found == NULL) {
        /* A module that has the function itself and was loaded for itself alone: its own calls come here. */
        struct search search = {name, NULL};
        dl_iterate_phdr(search_everywhere, &search);
        found = search.found;
    }
    if (found != NULL) {
        struct library library = {NULL, holder_of(found).base, ""};
        keep_library(&library);
    }
    forget_loader_error();
    return found;
}
