/* A module of a program: it calls CUDA, which it has itself with OWN_CUDA. */
int cuInit(unsigned flags);
int cudaGetDeviceCount(int *count);

#if defined(OWN_CUDA)
int cudaGetDeviceCount(int *count) {
    *count = 7;
    return 0;
}
int use(void) {
    int count = 0;
    int code = cudaGetDeviceCount(&count);
    return code != 0 ? code : 1000 + count;
}
#else
int use(void) { return cuInit(0); }
#endif
