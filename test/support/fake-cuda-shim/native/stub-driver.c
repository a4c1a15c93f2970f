/*
 * A driver without a GPU: enough of libcuda for the shim to stand before. Every function counts its
 * calls, and says what it was given where a test wants to know.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int initialized;
static int calls;
static int32_t failure;
static __thread int device;

static int device_count(void) {
    const char *given = getenv("STUB_DEVICES");
    return given == NULL ? 2 : atoi(given);
}

/* For tests alone: how many driver calls there were, and which error real calls answer from now on. */
int stubDriverCalls(void) { return calls; }
int stubDriverFails(int code) {
    failure = code;
    return 0;
}
void stubSetDevice(int chosen) { device = chosen; }
int stubGetDevice(void) { return device; }

static int answer(void) {
    calls++;
    return initialized ? failure : 3;
}

int cuInit(unsigned flags) {
    (void)flags;
    initialized = 1;
    return 0;
}
int cuDeviceGetCount(int *count) {
    *count = device_count();
    return initialized ? 0 : 3;
}
int cuDeviceGet(int *handle, int ordinal) {
    *handle = ordinal;
    return initialized ? 0 : 3;
}
int cuCtxGetDevice(int *current) {
    *current = device;
    return initialized ? 0 : 3;
}
int cuDevicePrimaryCtxRetain(void **context, int of) {
    (void)of;
    *context = &calls;
    return answer();
}
int cuCtxSynchronize(void) { return answer(); }
int cuStreamSynchronize(void *stream) {
    (void)stream;
    return answer();
}
int cuStreamSynchronize_ptsz(void *stream) {
    (void)stream;
    calls += 100;
    return initialized ? failure : 3;
}
int cuMemAlloc(unsigned *address, unsigned bytes) {
    (void)bytes;
    *address = 32;
    return answer();
}
int cuMemAlloc_v2(uint64_t *address, uint64_t bytes) {
    *address = bytes;
    return answer();
}
int cuMemFree_v2(uint64_t address) {
    (void)address;
    return answer();
}
int cuGraphLaunch(void *graph, void *stream) {
    (void)graph;
    (void)stream;
    return answer();
}
/* Answers with its own digits, so that a lost argument shows. */
int cuLaunchKernel(uint64_t f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, uint64_t stream, uint64_t params, uint64_t extra) {
    answer();
    if (f == 0) return failure;
    return (int)(f + 2 * gx + 3 * gy + 4 * gz + 5 * bx + 6 * by + 7 * bz + 8 * shared + 9 * stream + 10 * params +
                 11 * extra);
}

int cuGetProcAddress_v2(const char *symbol, void **function, int version, uint64_t flags, void *status);

int cuGetProcAddress(const char *symbol, void **function, int version, uint64_t flags) {
    return cuGetProcAddress_v2(symbol, function, version, flags, NULL);
}

static const struct {
    const char *symbol;
    int least_version;
    uint64_t flags;
    void *function;
} table[] = {
    {"cuInit", 0, 0, (void *)cuInit},
    {"cuDeviceGetCount", 0, 0, (void *)cuDeviceGetCount},
    {"cuDevicePrimaryCtxRetain", 0, 0, (void *)cuDevicePrimaryCtxRetain},
    {"cuCtxGetDevice", 0, 0, (void *)cuCtxGetDevice},
    {"cuCtxSynchronize", 0, 0, (void *)cuCtxSynchronize},
    {"cuStreamSynchronize", 0, 2, (void *)cuStreamSynchronize_ptsz},
    {"cuStreamSynchronize", 0, 0, (void *)cuStreamSynchronize},
    {"cuMemAlloc", 3020, 0, (void *)cuMemAlloc_v2},
    {"cuMemAlloc", 0, 0, (void *)cuMemAlloc},
    {"cuMemFree", 3020, 0, (void *)cuMemFree_v2},
    {"cuGraphLaunch", 0, 0, (void *)cuGraphLaunch},
    {"cuLaunchKernel", 0, 0, (void *)cuLaunchKernel},
    {"cuGetProcAddress", 12000, 0, (void *)cuGetProcAddress_v2},
    {"cuGetProcAddress", 0, 0, (void *)cuGetProcAddress},
    {"stubDriverCalls", 0, 0, (void *)stubDriverCalls},
};

int cuGetProcAddress_v2(const char *symbol, void **function, int version, uint64_t flags, void *status) {
    *function = NULL;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (strcmp(table[i].symbol, symbol) != 0 || version < table[i].least_version) continue;
        if (table[i].flags != 0 && table[i].flags != flags) continue;
        *function = table[i].function;
        if (status != NULL) *(int *)status = 0;
        return 0;
    }
    return 500;
}
