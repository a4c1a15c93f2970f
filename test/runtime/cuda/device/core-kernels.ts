import type { KernelSource } from "../../../../src/runtime/cuda/index.ts";

/** Kernels of the proof. They compile for the fake GPU as well, so that the proof itself is tested. */
export const proofKernels: KernelSource = {
  name: "core-proof",
  code: `
extern "C" __global__ void affine(unsigned *out, const unsigned *in, unsigned factor, unsigned add,
                                  long long n) {
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n;
       i += (long long)gridDim.x * blockDim.x)
    out[i] = in[i] * factor + add;
}

extern "C" __global__ void nothing(int unused) {}

/* Keeps a stream busy for about so many cycles. */
extern "C" __global__ void busy(long long cycles) {
#ifdef __CUDA_ARCH__
  long long start = clock64();
  while (clock64() - start < cycles) {}
#endif
}

extern "C" __global__ void through_shared(float *out, int n) {
  extern __shared__ unsigned char shared_memory[];
  float *values = (float *)shared_memory;
  for (int i = threadIdx.x; i < n; i += blockDim.x) values[i] = (float)i;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = values[n - 1 - i];
}

extern "C" __global__ void wild(unsigned *nowhere) { nowhere[0] = 1; }
`,
  kernels: ["affine", "nothing", "busy", "through_shared", "wild"],
};
