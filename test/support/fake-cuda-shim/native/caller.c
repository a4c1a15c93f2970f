/*
 * Makes the CUDA calls it reads from its input, one a line, and prints what each answers:
 *   link|runtime|driver|default|self|version|proc|proc1|procs|twice|entry|status|status1 FUNCTION [ARGUMENT...]
 *   repeat N ...   the same N times, printing each answer
 *   distinct N ... the same N times, printing each answer that differs from those before
 *   threads N ...  the same in N threads at once, a thousand times each, printing the last answers
 *   fork ...       the same in a child
 *   begin ...      the same, after a line that says that it begins
 * An argument is a number, or & for the address of a scratch word. `scratch` prints that word.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int (*any)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                   uint64_t);

#define LINKED(X)                                                                                                     \
    X(cudaGetDeviceCount) X(cudaSetDevice) X(cudaGetDevice) X(cudaMalloc) X(cudaMallocAsync) X(cudaFree)              \
    X(cudaMemcpyAsync) X(cudaMemcpyAsync_ptsz) X(cudaDeviceSynchronize) X(cudaStreamSynchronize) X(cudaEventQuery)    \
    X(cudaDeviceReset)                                                                                                \
    X(cudaGraphLaunch) X(cudaLaunchKernel) X(cudaGetLastError) X(cudaPeekAtLastError) X(cuInit) X(cuDeviceGetCount)   \
    X(cuCtxSynchronize) X(cuStreamSynchronize) X(cuMemAlloc_v2) X(cuMemFree_v2) X(cuGraphLaunch) X(cuLaunchKernel)    \
    X(stubDriverCalls) X(stubDriverFails)
#define DECLARE(name) int name(void);
LINKED(DECLARE)
int cuGetProcAddress(const char *, void **, int, uint64_t);
int cuGetProcAddress_v2(const char *, void **, int, uint64_t, void *);
int cudaGetDriverEntryPoint(const char *, void **, unsigned long long, int *);

static uint64_t scratch;

static void *linked(const char *name) {
#define CHOOSE(function)                                                                                              \
    if (strcmp(name, #function) == 0) return (void *)function;
    LINKED(CHOOSE)
    return NULL;
}

static void *find(const char *route, const char *name) {
    void *found = NULL;
    int status;
    if (strcmp(route, "link") == 0) return linked(name);
    if (strcmp(route, "runtime") == 0) return dlsym(dlopen("libcudart.so.13", RTLD_NOW), name);
    if (strcmp(route, "driver") == 0) return dlsym(dlopen("libcuda.so.1", RTLD_NOW), name);
    if (strcmp(route, "default") == 0) return dlsym(RTLD_DEFAULT, name);
    if (strcmp(route, "self") == 0) return dlsym(dlopen(NULL, RTLD_NOW), name);
    if (strcmp(route, "version") == 0) return dlvsym(RTLD_DEFAULT, name, "GLIBC_2.2.5");
    if (strcmp(route, "proc1") == 0) cuGetProcAddress(name, &found, 3000, 0);
    if (strcmp(route, "proc") == 0) cuGetProcAddress_v2(name, &found, 13000, 0, &status);
    if (strcmp(route, "procs") == 0) cuGetProcAddress_v2(name, &found, 13000, 2, &status);
    if (strcmp(route, "entry") == 0) cudaGetDriverEntryPoint(name, &found, 0, &status);
    /* A lookup of the lookup, as runtimes do that are linked statically. */
    if (strcmp(route, "twice") == 0) {
        int (*again)(const char *, void **, int, uint64_t, void *) = NULL;
        cuGetProcAddress_v2("cuGetProcAddress", (void **)&again, 13000, 0, &status);
        if (again != NULL) again(name, &found, 13000, 0, &status);
    }
    /* The same through the runtime, or through the first version, with a status in the scratch word. */
    if (strncmp(route, "status", 6) == 0) {
        int (*again)(const char *, void **, int, uint64_t, void *) = NULL;
        if (route[6] == '1') cuGetProcAddress("cuGetProcAddress", (void **)&again, 13000, 0);
        else cudaGetDriverEntryPoint("cuGetProcAddress", (void **)&again, 0, &status);
        scratch = 77;
        if (again != NULL) again(name, &found, 13000, 0, &scratch);
    }
    return found;
}

struct job {
    any function;
    uint64_t arguments[11];
    int times;
    int answer;
};

static int call(struct job *job) {
    uint64_t *a = job->arguments;
    return job->function(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10]);
}

static void *in_thread(void *data) {
    struct job *job = data;
    for (int i = 0; i < job->times; i++) job->answer = call(job);
    return NULL;
}

static void in_threads(struct job *job, int count) {
    pthread_t threads[64];
    struct job jobs[64];
    for (int i = 0; i < count; i++) {
        jobs[i] = *job;
        jobs[i].times = 1000;
        pthread_create(&threads[i], NULL, in_thread, &jobs[i]);
    }
    for (int i = 0; i < count; i++) {
        pthread_join(threads[i], NULL);
        printf("%d%s", jobs[i].answer, i + 1 < count ? " " : "\n");
    }
}

static void distinct(struct job *job, int times) {
    int seen[16], count = 0;
    for (int i = 0; i < times; i++) {
        int answer = call(job), known = 0;
        for (int j = 0; j < count; j++) known |= seen[j] == answer;
        if (!known && count < 16) seen[count++] = answer;
    }
    for (int j = 0; j < count; j++) printf("%d%s", seen[j], j + 1 < count ? " " : "\n");
}

static void in_child(struct job *job) {
    pid_t child = fork();
    if (child == 0) {
        printf("%d\n", call(job));
        fflush(stdout);
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

static char *next(void) { return strtok(NULL, " \n"); }

static void obey(char *word) {
    char how = 'o';
    int count = 1;
    if (strcmp(word, "scratch") == 0) {
        printf("%llu\n", (unsigned long long)scratch);
        return;
    }
    if (strcmp(word, "repeat") == 0 || strcmp(word, "distinct") == 0 || strcmp(word, "threads") == 0 ||
        strcmp(word, "fork") == 0 || strcmp(word, "begin") == 0) {
        how = word[0];
        if (how != 'f' && how != 'b') count = atoi(next());
        word = next();
    }
    char *name = next();
    struct job job = {(any)find(word, name), {0}, 1, 0};
    for (int i = 0; i < 11; i++) {
        char *argument = next();
        if (argument == NULL) break;
        job.arguments[i] = argument[0] == '&' ? (uint64_t)&scratch : strtoull(argument, NULL, 0);
    }
    if (how == 'b') {
        puts("begun");
        fflush(stdout);
    }
    if (job.function == NULL) printf("none\n");
    else if (how == 'd') distinct(&job, count);
    else if (how == 't') in_threads(&job, count);
    else if (how == 'f') in_child(&job);
    else
        for (int i = 0; i < count; i++) printf("%d%s", call(&job), i + 1 < count ? " " : "\n");
}

int main(void) {
    char line[4096];
    while (fgets(line, sizeof line, stdin) != NULL) {
        char *word = strtok(line, " \n");
        if (word != NULL) obey(word);
        fflush(stdout);
    }
    return 0;
}
