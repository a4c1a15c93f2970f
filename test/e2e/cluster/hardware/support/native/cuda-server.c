/*
 * A server that uses a GPU: each request launches a kernel and waits for it. Like a real one it dies
 * when CUDA says that the GPU is gone, and does not start without one. Usage: cuda-server PORT
 */
#include <netinet/in.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int cudaGetDeviceCount(int *count);
int cudaSetDevice(int device);
int cudaMalloc(void **address, size_t bytes);
int cudaFree(void *address);
int cudaDeviceSynchronize(void);

static void check(const char *call, int code) {
    if (code == 0) return;
    printf("%s answered %d: the GPU is lost\n", call, code);
    fflush(stdout);
    exit(70);
}

static void leave(int number) {
    (void)number;
    _exit(0);
}

static void infer(void) {
    void *memory = NULL;
    check("cudaMalloc", cudaMalloc(&memory, 4096));
    check("cudaDeviceSynchronize", cudaDeviceSynchronize());
    check("cudaFree", cudaFree(memory));
}

int main(int argc, char **argv) {
    int devices = 0;
    /* The first process of a container has no default for it. */
    signal(SIGTERM, leave);
    check("cudaGetDeviceCount", cudaGetDeviceCount(&devices));
    check("cudaSetDevice", cudaSetDevice(0));
    infer();
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    int on = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    struct sockaddr_in address = {0};
    address.sin_family = AF_INET;
    address.sin_port = htons((uint16_t)atoi(argc > 1 ? argv[1] : "8000"));
    address.sin_addr.s_addr = htonl(INADDR_ANY);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 64) != 0) {
        perror("cuda-server");
        return 1;
    }
    printf("serving with %d GPUs\n", devices);
    fflush(stdout);
    for (;;) {
        int client = accept(listener, NULL, NULL);
        if (client < 0) continue;
        char request[4096];
        if (read(client, request, sizeof request) <= 0) {
            close(client);
            continue;
        }
        infer();
        const char *answer = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nok\n";
        if (write(client, answer, strlen(answer)) < 0) perror("cuda-server");
        close(client);
    }
}
