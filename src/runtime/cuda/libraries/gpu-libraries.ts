/** The libraries of NVIDIA that the runtime uses, one entry for each. */
export interface GpuLibrary {
  /** The probe's identifier. */
  readonly id: string;
  readonly title: string;
  /** File names the loader knows it by, newest first. Several can be installed side by side. */
  readonly sonames: readonly string[];
  readonly neededFor: string;
  /** The driver's own libraries are never among Python's packages. */
  readonly comesWith: "driver" | "toolkit";
  /** What to do when it is missing. */
  readonly hint: string;
}

const withDriver = "It comes with the NVIDIA driver; in a container, with the container toolkit.";
const withToolkit =
  "It comes with the CUDA toolkit, with PyTorch, and as a pip package; set CUDA_HOME or TESSERA_CUDA_LIBRARY_PATH when it lies in an unusual place.";

export const gpuLibraries = {
  cuda: {
    id: "gpu-libcuda",
    title: "CUDA driver (libcuda)",
    sonames: ["libcuda.so.1"],
    neededFor: "running anything on a GPU",
    comesWith: "driver",
    hint: withDriver,
  },
  nvml: {
    id: "gpu-nvml",
    title: "GPU management (NVML)",
    sonames: ["libnvidia-ml.so.1"],
    neededFor: "reading health, clocks, temperatures and errors of GPUs",
    comesWith: "driver",
    hint: withDriver,
  },
  cudart: {
    id: "gpu-cudart",
    title: "CUDA runtime (libcudart)",
    sonames: ["libcudart.so.13", "libcudart.so.12"],
    neededFor: "injecting faults into programs that use the CUDA runtime",
    comesWith: "toolkit",
    hint: withToolkit,
  },
  cublas: {
    id: "gpu-cublas",
    title: "Matrix library (cuBLAS)",
    sonames: ["libcublas.so.13", "libcublas.so.12"],
    neededFor: "matrix multiplication on a GPU",
    comesWith: "toolkit",
    hint: withToolkit,
  },
  cublasLt: {
    id: "gpu-cublaslt",
    title: "Matrix library (cuBLASLt)",
    sonames: ["libcublasLt.so.13", "libcublasLt.so.12"],
    neededFor: "matrix multiplication in low precision",
    comesWith: "toolkit",
    hint: withToolkit,
  },
  nvrtc: {
    id: "gpu-nvrtc",
    title: "Kernel compiler (NVRTC)",
    sonames: ["libnvrtc.so.13", "libnvrtc.so.12"],
    neededFor: "compiling kernels at run time",
    comesWith: "toolkit",
    hint: withToolkit,
  },
  nccl: {
    id: "gpu-nccl",
    title: "Collectives (NCCL)",
    sonames: ["libnccl.so.2"],
    neededFor: "collectives between GPUs and the loop-back check",
    comesWith: "toolkit",
    hint: "It comes with PyTorch, as the package libnccl2, and as a pip package.",
  },
} as const satisfies Record<string, GpuLibrary>;

export type GpuLibraryName = keyof typeof gpuLibraries;

export const gpuLibraryNames = Object.keys(gpuLibraries) as GpuLibraryName[];
