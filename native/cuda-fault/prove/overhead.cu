/* Nanoseconds for one call of a few functions, as JSON; each the least of several batches. */
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <stdio.h>
#include <time.h>

__global__ void nothing() {}

static double now_ns() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e9 + now.tv_nsec;
}

template <typename Work, typename Rest>
static double least_ns(int batches, int calls, Work work, Rest rest) {
    double least = 1e18;
    for (int batch = 0; batch < batches; batch++) {
        double began = now_ns();
        for (int i = 0; i < calls; i++) work();
        double took = (now_ns() - began) / calls;
        if (took < least) least = took;
        rest();
    }
    return least;
}

int main() {
    int device;
    cudaStream_t stream;
    cudaEvent_t event;
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    int (*synchronize)(cudaStream_t) = (int (*)(cudaStream_t))dlsym(driver, "cuStreamSynchronize");
    if (cudaStreamCreate(&stream) != 0 || cudaEventCreate(&event) != 0 || synchronize == NULL) return 2;
    nothing<<<1, 1, 0, stream>>>();
    cudaStreamSynchronize(stream);
    auto idle = [] {};
    auto drain = [&] { cudaStreamSynchronize(stream); };
    double get = least_ns(40, 20000, [&] { cudaGetDevice(&device); }, idle);
    double peek = least_ns(40, 20000, [&] { cudaPeekAtLastError(); }, idle);
    double query = least_ns(40, 2000, [&] { cudaEventQuery(event); }, idle);
    double sync = least_ns(40, 2000, [&] { synchronize(stream); }, idle);
    double launch = least_ns(60, 400, [&] { nothing<<<1, 1, 0, stream>>>(); }, drain);
    printf("{\"cudaGetDevice\": %.3f, \"cudaPeekAtLastError\": %.3f, \"cudaEventQuery\": %.2f, "
           "\"cuStreamSynchronize\": %.2f, \"launch\": %.2f}\n",
           get, peek, query, sync, launch);
    return 0;
}
