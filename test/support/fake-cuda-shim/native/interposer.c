/* Another preloaded library: it stands before one function of the C library and finds that when it is first called. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <time.h>

#if defined(WRAP_MMAP)
void *mmap(void *at, size_t bytes, int access, int flags, int file, off_t from) {
    static void *(*real)(void *, size_t, int, int, int, off_t);
    if (real == NULL) real = (void *(*)(void *, size_t, int, int, int, off_t))dlsym(RTLD_NEXT, "mmap");
    return real(at, bytes, access, flags, file, from);
}
#elif defined(WRAP_OPEN)
int open(const char *path, int flags, ...) {
    static int (*real)(const char *, int, ...);
    va_list rest;
    va_start(rest, flags);
    int mode = va_arg(rest, int);
    va_end(rest);
    if (real == NULL) real = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
    return real(path, flags, mode);
}
#elif defined(WRAP_CLOCK)
int clock_gettime(clockid_t clock, struct timespec *now) {
    static int (*real)(clockid_t, struct timespec *);
    if (real == NULL) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    return real(clock, now);
}
#else
/* A question about CUDA in the midst of the start. */
void *mmap(void *at, size_t bytes, int access, int flags, int file, off_t from) {
    static void *(*real)(void *, size_t, int, int, int, off_t);
    if (real == NULL) real = (void *(*)(void *, size_t, int, int, int, off_t))dlsym(RTLD_NEXT, "mmap");
    dlsym(RTLD_DEFAULT, "cuInit");
    return real(at, bytes, access, flags, file, from);
}
#endif
