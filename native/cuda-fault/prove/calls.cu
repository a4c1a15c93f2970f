/*
 * What CUDA calls answer after an error that a context does not survive: `calls address` and `calls trap`
 * make a real one, `calls wait` waits for a line on its input (something is armed meanwhile) and makes one
 * more call. Prints `name code` for each call, in the same order in every mode.
 */
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__global__ void nothing() {}
__global__ void bad_address(int *at) { *at = 1; }
__global__ void trap() { asm volatile("trap;"); }

static void *driver;

typedef int (*driver_function)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);

static int cu(const char *name, uint64_t a = 0, uint64_t b = 0, uint64_t c = 0, uint64_t d = 0, uint64_t e = 0) {
    driver_function function = (driver_function)dlsym(driver, name);
    return function == NULL ? -1 : function(a, b, c, d, e);
}

#define SAY(call) printf("%s %d\n", #call, (int)(call))
#define NAMED(name, call) printf("%s %d\n", name, (int)(call))
#define U(x) ((uint64_t)(x))

struct things {
    void *memory, *host, *pages;
    cudaStream_t stream, stream2;
    cudaEvent_t event, event2;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaMemPool_t pool;
};

static int prepare(struct things *t) {
    t->pages = aligned_alloc(4096, 4096);
    int failed = cudaSetDevice(0) || cudaMalloc(&t->memory, 4096) || cudaMallocHost(&t->host, 4096) ||
                 cudaStreamCreate(&t->stream) || cudaStreamCreate(&t->stream2) || cudaEventCreate(&t->event) ||
                 cudaEventCreate(&t->event2) || cudaDeviceGetDefaultMemPool(&t->pool, 0);
    failed = failed || cudaStreamBeginCapture(t->stream, cudaStreamCaptureModeThreadLocal);
    nothing<<<1, 1, 0, t->stream>>>();
    failed = failed || cudaStreamEndCapture(t->stream, &t->graph) || cudaGraphInstantiate(&t->exec, t->graph, 0);
    failed = failed || cudaEventRecord(t->event, t->stream) || cudaDeviceSynchronize();
    return failed;
}

static void queries(void) {
    int number = 0, low, high;
    cudaDeviceProp properties;
    unsigned flags;
    SAY(cudaGetDevice(&number));
    SAY(cudaGetDeviceCount(&number));
    SAY(cudaGetDeviceProperties(&properties, 0));
    SAY(cudaDeviceGetAttribute(&number, cudaDevAttrWarpSize, 0));
    SAY(cudaSetDevice(0));
    SAY(cudaDriverGetVersion(&number));
    SAY(cudaRuntimeGetVersion(&number));
    SAY(cudaGetDeviceFlags(&flags));
    SAY(cudaDeviceGetStreamPriorityRange(&low, &high));
    SAY(cudaDeviceCanAccessPeer(&number, 0, 0));
    char bus[32];
    SAY(cudaDeviceGetPCIBusId(bus, 32, 0));
    SAY(cudaDeviceGetByPCIBusId(&number, bus));
}

static void memory(struct things *t) {
    size_t one, two;
    cudaPointerAttributes attributes;
    cudaMemPool_t pool;
    void *pointer = NULL;
    SAY(cudaMalloc(&pointer, 256));
    SAY(cudaMallocAsync(&pointer, 256, t->stream));
    SAY(cudaMallocHost(&pointer, 256));
    SAY(cudaHostAlloc(&pointer, 256, 0));
    SAY(cudaMallocManaged(&pointer, 256));
    SAY(cudaMemGetInfo(&one, &two));
    SAY(cudaPointerGetAttributes(&attributes, t->memory));
    SAY(cudaMemcpy(t->host, t->memory, 64, cudaMemcpyDeviceToHost));
    SAY(cudaMemcpyAsync(t->host, t->memory, 64, cudaMemcpyDeviceToHost, t->stream));
    SAY(cudaMemset(t->memory, 0, 64));
    SAY(cudaMemsetAsync(t->memory, 0, 64, t->stream));
    SAY(cudaDeviceGetDefaultMemPool(&pool, 0));
    SAY(cudaDeviceGetMemPool(&pool, 0));
    SAY(cudaMemPoolTrimTo(t->pool, 0));
    uint64_t threshold = 0;
    SAY(cudaMemPoolGetAttribute(t->pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    SAY(cudaMemPoolSetAttribute(t->pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    cudaMemPoolProps properties = {};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    SAY(cudaMemPoolCreate(&pool, &properties));
    SAY(cudaMemPoolDestroy(pool));
    cudaIpcMemHandle_t handle;
    SAY(cudaIpcGetMemHandle(&handle, t->memory));
    SAY(cudaHostRegister(t->pages, 4096, 0));
    SAY(cudaHostUnregister(t->pages));
    size_t limit;
    SAY(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
    cudaFuncCache cache;
    SAY(cudaDeviceGetCacheConfig(&cache));
    SAY(cudaHostGetDevicePointer(&pointer, t->host, 0));
}

static void streams(struct things *t) {
    cudaStream_t stream;
    cudaEvent_t event;
    float ms;
    int number;
    unsigned flags;
    cudaStreamCaptureStatus status;
    cudaFuncAttributes function;
    void *arguments[1] = {NULL};
    SAY(cudaStreamSynchronize(t->stream));
    SAY(cudaStreamQuery(t->stream));
    SAY(cudaStreamCreate(&stream));
    SAY(cudaStreamWaitEvent(t->stream, t->event, 0));
    SAY(cudaStreamGetPriority(t->stream, &number));
    SAY(cudaStreamGetFlags(t->stream, &flags));
    SAY(cudaStreamIsCapturing(t->stream, &status));
    SAY(cudaStreamBeginCapture(t->stream2, cudaStreamCaptureModeThreadLocal));
    cudaGraph_t graph = NULL;
    SAY(cudaStreamEndCapture(t->stream2, &graph));
    SAY(cudaEventCreate(&event));
    SAY(cudaEventRecord(t->event, t->stream));
    SAY(cudaEventQuery(t->event));
    SAY(cudaEventSynchronize(t->event));
    SAY(cudaEventElapsedTime(&ms, t->event, t->event2));
    SAY(cudaLaunchKernel((const void *)nothing, dim3(1), dim3(1), arguments, 0, t->stream));
    SAY(cudaGetLastError());
    NAMED("cudaGetLastError at once again", cudaGetLastError());
    SAY(cudaGraphLaunch(t->exec, t->stream));
    cudaGraphExec_t exec;
    SAY(cudaGraphInstantiate(&exec, t->graph, 0));
    SAY(cudaFuncGetAttributes(&function, (const void *)nothing));
    SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&number, (const void *)nothing, 32, 0));
    SAY(cudaDeviceSynchronize());
}

static void driver_calls(struct things *t) {
    int number;
    uint64_t big, big2;
    char name[64];
    NAMED("cuInit", cu("cuInit", 0));
    NAMED("cuDeviceGetCount", cu("cuDeviceGetCount", U(&number)));
    NAMED("cuDeviceGet", cu("cuDeviceGet", U(&number), 0));
    NAMED("cuDeviceGetName", cu("cuDeviceGetName", U(name), 64, 0));
    NAMED("cuDeviceGetAttribute", cu("cuDeviceGetAttribute", U(&number), 10, 0));
    NAMED("cuDeviceTotalMem_v2", cu("cuDeviceTotalMem_v2", U(&big), 0));
    NAMED("cuCtxGetDevice", cu("cuCtxGetDevice", U(&number)));
    NAMED("cuCtxGetCurrent", cu("cuCtxGetCurrent", U(&big)));
    NAMED("cuDevicePrimaryCtxGetState", cu("cuDevicePrimaryCtxGetState", 0, U(&number), U(&big)));
    NAMED("cuDevicePrimaryCtxRetain", cu("cuDevicePrimaryCtxRetain", U(&big), 0));
    NAMED("cuCtxSynchronize", cu("cuCtxSynchronize"));
    NAMED("cuCtxGetLimit", cu("cuCtxGetLimit", U(&big), 0));
    NAMED("cuCtxGetStreamPriorityRange", cu("cuCtxGetStreamPriorityRange", U(&number), U(&number)));
    NAMED("cuMemGetInfo_v2", cu("cuMemGetInfo_v2", U(&big), U(&big2)));
    NAMED("cuMemAlloc_v2", cu("cuMemAlloc_v2", U(&big), 256));
    NAMED("cuMemcpyDtoH_v2", cu("cuMemcpyDtoH_v2", U(t->host), U(t->memory), 64));
    NAMED("cuMemcpyDtoHAsync_v2", cu("cuMemcpyDtoHAsync_v2", U(t->host), U(t->memory), 64, U(t->stream)));
    NAMED("cuMemsetD8_v2", cu("cuMemsetD8_v2", U(t->memory), 0, 64));
    NAMED("cuPointerGetAttribute", cu("cuPointerGetAttribute", U(&big), 2, U(t->memory)));
    NAMED("cuMemGetAddressRange_v2", cu("cuMemGetAddressRange_v2", U(&big), U(&big2), U(t->memory)));
    NAMED("cuMemHostGetDevicePointer_v2", cu("cuMemHostGetDevicePointer_v2", U(&big), U(t->host), 0));
    NAMED("cuMemAllocHost_v2", cu("cuMemAllocHost_v2", U(&big), 256));
    NAMED("cuStreamSynchronize", cu("cuStreamSynchronize", U(t->stream)));
    NAMED("cuStreamQuery", cu("cuStreamQuery", U(t->stream)));
    NAMED("cuStreamCreate", cu("cuStreamCreate", U(&big), 0));
    NAMED("cuStreamWaitEvent", cu("cuStreamWaitEvent", U(t->stream), U(t->event), 0));
    NAMED("cuStreamGetFlags", cu("cuStreamGetFlags", U(t->stream), U(&number)));
    NAMED("cuStreamGetPriority", cu("cuStreamGetPriority", U(t->stream), U(&number)));
    NAMED("cuStreamIsCapturing", cu("cuStreamIsCapturing", U(t->stream), U(&number)));
    NAMED("cuStreamGetCtx", cu("cuStreamGetCtx", U(t->stream), U(&big)));
    NAMED("cuEventCreate", cu("cuEventCreate", U(&big), 0));
    NAMED("cuEventRecord", cu("cuEventRecord", U(t->event), U(t->stream)));
    NAMED("cuEventQuery", cu("cuEventQuery", U(t->event)));
    NAMED("cuEventSynchronize", cu("cuEventSynchronize", U(t->event)));
    NAMED("cuGraphLaunch", cu("cuGraphLaunch", U(t->exec), U(t->stream)));
    NAMED("cuMemAddressReserve", cu("cuMemAddressReserve", U(&big), 1 << 21, 0, 0, 0));
    NAMED("cuCtxPopCurrent_v2", cu("cuCtxPopCurrent_v2", U(&big)));
    NAMED("cuCtxPushCurrent_v2", cu("cuCtxPushCurrent_v2", big));
    NAMED("cuCtxSetCurrent", cu("cuCtxSetCurrent", big));
}

static void endings(struct things *t) {
    void *pointer;
    SAY(cudaPeekAtLastError());
    SAY(cudaGetLastError());
    NAMED("cudaGetLastError again", cudaGetLastError());
    SAY(cudaFreeAsync(t->memory, t->stream));
    SAY(cudaFree(t->memory));
    SAY(cudaFreeHost(t->host));
    SAY(cudaEventDestroy(t->event));
    SAY(cudaStreamDestroy(t->stream));
    SAY(cudaGraphExecDestroy(t->exec));
    SAY(cudaDeviceReset());
    NAMED("cudaGetLastError after reset", cudaGetLastError());
    NAMED("cudaMalloc after reset", cudaMalloc(&pointer, 256));
    NAMED("cudaDeviceSynchronize after reset", cudaDeviceSynchronize());
    NAMED("cudaSetDevice after reset", cudaSetDevice(0));
    NAMED("cudaGetDeviceCount after reset", cudaGetDeviceCount((int *)&pointer));
    NAMED("cudaGetLastError at the end", cudaGetLastError());
    NAMED("cudaGetLastError at the very end", cudaGetLastError());
}

int main(int count, char **words) {
    struct things t;
    const char *mode = count > 1 ? words[1] : "";
    char line[64];
    driver = dlopen("libcuda.so.1", RTLD_NOW);
    if (driver == NULL || prepare(&t) != 0) {
        printf("prepare failed %d\n", (int)cudaGetLastError());
        return 2;
    }
    printf("ready 0\n");
    fflush(stdout);
    if (strcmp(mode, "wait") == 0 && fgets(line, sizeof line, stdin) == NULL) return 3;
    if (strcmp(mode, "address") == 0) bad_address<<<1, 1>>>((int *)64);
    else if (strcmp(mode, "trap") == 0) trap<<<1, 1>>>();
    else nothing<<<1, 1>>>();
    NAMED("first synchronize", cudaDeviceSynchronize());
    queries();
    memory(&t);
    streams(&t);
    driver_calls(&t);
    endings(&t);
    return 0;
}
