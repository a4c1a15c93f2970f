/* A runtime before that driver. As the real one it finds every driver function by cuGetProcAddress. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int (*find)(const char *, void **, int, uint64_t, void *);
static int (*memory_allocate)(uint64_t *, uint64_t);
static int (*context_synchronize)(void);
static int (*primary_retain)(void **, int);
static __thread int last_error;

void stubSetDevice(int chosen);
int stubGetDevice(void);

static int start(void) {
    if (context_synchronize != NULL) return 0;
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    if (driver == NULL) return 35;
    find = (int (*)(const char *, void **, int, uint64_t, void *))dlsym(driver, "cuGetProcAddress_v2");
    int (*init)(unsigned);
    if (find == NULL || find("cuInit", (void **)&init, 12000, 0, NULL) != 0 || init(0) != 0) return 3;
    find("cuMemAlloc", (void **)&memory_allocate, 12000, 0, NULL);
    find("cuDevicePrimaryCtxRetain", (void **)&primary_retain, 12000, 0, NULL);
    find("cuCtxSynchronize", (void **)&context_synchronize, 12000, 0, NULL);
    return 0;
}

static int remember(int code) {
    if (code != 0) last_error = code;
    return code;
}

static int work(void) {
    int code = start();
    return remember(code != 0 ? code : context_synchronize());
}

int cudaGetDeviceCount(int *count) {
    int code = start();
    int (*ask)(int *);
    if (code != 0 || find("cuDeviceGetCount", (void **)&ask, 12000, 0, NULL) != 0) return remember(3);
    return remember(ask(count));
}
int cudaSetDevice(int device) {
    void *context;
    int code = start();
    stubSetDevice(device);
    return remember(code != 0 ? code : primary_retain(&context, device));
}
int cudaGetDevice(int *device) {
    *device = stubGetDevice();
    return 0;
}
int cudaMalloc(void **address, size_t bytes) {
    int code = start();
    return remember(code != 0 ? code : memory_allocate((uint64_t *)address, bytes));
}
int cudaMallocAsync(void **address, size_t bytes, void *stream) {
    (void)stream;
    return cudaMalloc(address, bytes);
}
int cudaFree(void *address) {
    (void)address;
    return work();
}
int cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, void *stream) {
    (void)kind;
    (void)stream;
    if (to != NULL && from != NULL) memcpy(to, from, bytes);
    return work();
}
int cudaMemcpyAsync_ptsz(void *to, const void *from, size_t bytes, int kind, void *stream) {
    return cudaMemcpyAsync(to, from, bytes, kind, stream);
}
int cudaDeviceSynchronize(void) { return work(); }
int cudaDeviceReset(void) { return 0; }
int cudaStreamSynchronize(void *stream) {
    (void)stream;
    return work();
}
int cudaEventQuery(void *event) {
    (void)event;
    return work() == 0 ? 600 : last_error;
}
int cudaGraphLaunch(void *graph, void *stream) {
    (void)graph;
    (void)stream;
    return work();
}

struct dim3 {
    unsigned x, y, z;
};
int cudaLaunchKernel(uint64_t f, struct dim3 grid, struct dim3 block, uint64_t arguments, uint64_t shared,
                     uint64_t stream) {
    int code = work();
    if (f == 0 || code != 0) return code;
    return (int)(f + 2 * grid.x + 3 * grid.y + 4 * grid.z + 5 * block.x + 6 * block.y + 7 * block.z + 8 * arguments +
                 9 * shared + 10 * stream);
}
int cudaGetLastError(void) {
    int code = last_error;
    last_error = 0;
    return code;
}
int cudaPeekAtLastError(void) { return last_error; }
int cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags, int *status) {
    int code = start();
    return code != 0 ? code : find(symbol, function, 13000, flags, status);
}
