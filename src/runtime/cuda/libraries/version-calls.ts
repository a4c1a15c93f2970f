import type { NativeLibrary } from "../ffi/ffi.ts";
import type { GpuLibraryName } from "./gpu-libraries.ts";

/** What a library says about itself through its own functions. */
export interface LibraryAnswer {
  readonly version: string | null;
  /** Why it is of limited use although it loads; null when nothing is wrong. */
  readonly problem: string | null;
  readonly facts: Readonly<Record<string, unknown>>;
}

const devicesMax = 64;
const textBytes = 96;

/** How each library is asked for its version. None of these needs a GPU or keeps memory on one. */
export const versionCalls: Readonly<
  Record<GpuLibraryName, (library: NativeLibrary) => LibraryAnswer>
> = {
  cuda: askCuda,
  nvml: askNvml,
  cudart: (library) => simple(thousands(intFrom(library, "cudaRuntimeGetVersion"))),
  cublas: askCublas,
  cublasLt: (library) => {
    const version = Number(library.func("size_t cublasLtGetVersion(void)")());
    return simple(tenThousands(version));
  },
  nvrtc: askNvrtc,
  nccl: (library) => simple(tenThousands(intFrom(library, "ncclGetVersion"))),
};

// https://docs.nvidia.com/cuda/cuda-driver-api: CUresult
const cudaErrors: Readonly<Record<number, string>> = {
  3: "not initialized",
  34: "stub library",
  100: "no CUDA-capable device",
  101: "invalid device",
  304: "the operating system refused a call",
  802: "the system is not ready (fabric manager?)",
  803: "driver and library do not fit together",
  804: "forward compatibility is not supported here",
  999: "unknown error",
};

/** What an error of the driver's start means to people. */
export function driverErrorMeaning(code: number): string {
  return cudaErrors[code] ?? "see CUresult in the CUDA documentation";
}

function askCuda(library: NativeLibrary): LibraryAnswer {
  const version = thousands(intFrom(library, "cuDriverGetVersion"));
  const started = Number(library.func("int cuInit(uint32 flags)")(0));
  if (started === 0) {
    return { version, problem: null, facts: { devices: intFrom(library, "cuDeviceGetCount") } };
  }
  return {
    version,
    problem: `cuInit answers ${started} (${driverErrorMeaning(started)})`,
    facts: { cuInit: started },
  };
}

// https://docs.nvidia.com/deploy/nvml-api: nvmlReturn_t
const nvmlErrors: Readonly<Record<number, string>> = {
  4: "no permission",
  9: "the driver is not loaded",
  12: "libnvidia-ml was not found",
  15: "a GPU has fallen off the bus",
  18: "driver and library are of different versions",
  999: "unknown error",
};

function askNvml(library: NativeLibrary): LibraryAnswer {
  const started = Number(library.func("int nvmlInit_v2(void)")());
  if (started !== 0) {
    const meaning = nvmlErrors[started] ?? "see nvmlReturn_t in the NVML documentation";
    const problem = `nvmlInit answers ${started} (${meaning})`;
    return { version: null, problem, facts: { nvmlInit: started } };
  }
  try {
    const driver = nvmlText(library, "int nvmlSystemGetDriverVersion(void *text, uint32 size)");
    const names = nvmlDeviceNames(library);
    return { version: driver, problem: null, facts: { devices: names.length, names } };
  } finally {
    library.func("int nvmlShutdown(void)")();
  }
}

function nvmlDeviceNames(library: NativeLibrary): string[] {
  const handleOf = library.func("int nvmlDeviceGetHandleByIndex_v2(uint32 index, void *device)");
  const count = Math.min(intFrom(library, "nvmlDeviceGetCount_v2"), devicesMax);
  return Array.from({ length: count }, (_, index) => {
    const handle = Buffer.alloc(8);
    const code = Number(handleOf(index, handle));
    if (code !== 0) return `(no answer: ${nvmlErrors[code] ?? code})`;
    const device = handle.readBigUInt64LE();
    const prototype = "int nvmlDeviceGetName(uint64 device, void *text, uint32 size)";
    return nvmlText(library, prototype, device);
  });
}

function nvmlText(library: NativeLibrary, prototype: string, ...before: unknown[]): string {
  const text = Buffer.alloc(textBytes);
  const code = Number(library.func(prototype)(...before, text, textBytes));
  if (code !== 0) return `(no answer: ${nvmlErrors[code] ?? code})`;
  const end = text.indexOf(0);
  return text.toString("utf8", 0, end < 0 ? textBytes : end);
}

function askCublas(library: NativeLibrary): LibraryAnswer {
  // Unlike cublasGetVersion this needs no handle, and so no GPU.
  const property = library.func("int cublasGetProperty(int type, void *value)");
  const parts = [0, 1, 2].map((type) => {
    const value = Buffer.alloc(4);
    check("cublasGetProperty", property(type, value));
    return value.readInt32LE();
  });
  return simple(parts.join("."));
}

function askNvrtc(library: NativeLibrary): LibraryAnswer {
  const [major, minor] = [Buffer.alloc(4), Buffer.alloc(4)];
  check("nvrtcVersion", library.func("int nvrtcVersion(void *major, void *minor)")(major, minor));
  return simple(`${major.readInt32LE()}.${minor.readInt32LE()}`);
}

function simple(version: string): LibraryAnswer {
  return { version, problem: null, facts: {} };
}

/** Calls a function whose only argument receives an int. */
function intFrom(library: NativeLibrary, name: string): number {
  const value = Buffer.alloc(4);
  check(name, library.func(`int ${name}(void *value)`)(value));
  return value.readInt32LE();
}

function check(name: string, code: unknown): void {
  if (Number(code) !== 0) throw new Error(`${name} answers ${Number(code)}`);
}

/** 13020 is 13.2: CUDA's way to put a version into a number. */
function thousands(value: number): string {
  return `${Math.floor(value / 1000)}.${Math.floor((value % 1000) / 10)}`;
}

/** 22703 is 2.27.3: the way of NCCL and cuBLASLt. */
function tenThousands(value: number): string {
  const patch = value % 100;
  return `${Math.floor(value / 10_000)}.${Math.floor((value % 10_000) / 100)}.${patch}`;
}
