/* Nanoseconds for one call of a stub function: `timer BATCHES CALLS`, the least of the batches each. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int cudaGetDevice(int *device);
int cudaStreamSynchronize(void *stream);
int cuStreamSynchronize(void *stream);
int cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, void *stream);
int cuInit(unsigned flags);
int cudaSetDevice(int device);

static double now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

#define LEAST(result, call)                                                                                           \
    for (int batch = 0; batch < batches; batch++) {                                                                   \
        double began = now_ns();                                                                                      \
        for (int i = 0; i < calls; i++) call;                                                                         \
        double took = (now_ns() - began) / calls;                                                                     \
        if (batch == 0 || took < result) result = took;                                                               \
    }

int main(int count, char **words) {
    int batches = count > 1 ? atoi(words[1]) : 20, calls = count > 2 ? atoi(words[2]) : 10000, device;
    double get = 0, synchronize = 0, driver = 0, copy = 0;
    if (cuInit(0) != 0 || cudaSetDevice(0) != 0) return 2;
    LEAST(get, cudaGetDevice(&device))
    LEAST(synchronize, cudaStreamSynchronize(NULL))
    LEAST(driver, cuStreamSynchronize(NULL))
    LEAST(copy, cudaMemcpyAsync(NULL, NULL, 0, 0, NULL))
    printf("{\"cudaGetDevice\": %.4f, \"cudaStreamSynchronize\": %.4f, \"cuStreamSynchronize\": %.4f, "
           "\"cudaMemcpyAsync\": %.4f}\n",
           get, synchronize, driver, copy);
    return 0;
}
