import type { NvrtcFunctions } from "../ffi/nvrtc.ts";
import { cudaError } from "./cuda-error.ts";
import type { CudaDeviceProperties, KernelSource } from "./device.ts";
import { readHandle, readSize, readText } from "./result-buffers.ts";

// nvrtcResult
const names: readonly string[] = [
  "NVRTC_SUCCESS",
  "NVRTC_ERROR_OUT_OF_MEMORY",
  "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
  "NVRTC_ERROR_INVALID_INPUT",
  "NVRTC_ERROR_INVALID_PROGRAM",
  "NVRTC_ERROR_INVALID_OPTION",
  "NVRTC_ERROR_COMPILATION",
  "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
  "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
  "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
  "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
  "NVRTC_ERROR_INTERNAL_ERROR",
];
const logBytesMax = 2000;

/** How kernels are compiled for a GPU: machine code for it, or PTX that its driver compiles. */
export interface CompileTarget {
  /** `sm_90` or `compute_90`. */
  readonly arch: string;
  /** Of NVRTC: `13.0`. */
  readonly compiler: string;
}

/** Chooses machine code where NVRTC knows the GPU, else the newest PTX that the GPU understands. */
export function chooseTarget(
  nvrtc: NvrtcFunctions,
  { computeCapability: { major, minor } }: CudaDeviceProperties,
): CompileTarget {
  const [first, second] = [Buffer.alloc(4), Buffer.alloc(4)];
  check("nvrtcVersion", nvrtc.nvrtcVersion(first, second));
  const compiler = `${first.readInt32LE()}.${second.readInt32LE()}`;
  const wanted = major * 10 + minor;
  const known = supportedArchs(nvrtc);
  if (known.includes(wanted)) return { arch: `sm_${wanted}`, compiler };
  const below = known.filter((arch) => arch < wanted);
  return { arch: `compute_${below.length === 0 ? wanted : Math.max(...below)}`, compiler };
}

/** What the compiler is told, beside the source. */
export function compileOptions(source: KernelSource, { arch }: CompileTarget): string[] {
  const defines = Object.entries(source.defines ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [
    `--gpu-architecture=${arch}`,
    "--std=c++17",
    ...defines.map(([name, value]) => `-D${name}=${value}`),
  ];
}

/**
 * Compiles CUDA C for a GPU.
 *
 * @throws E_CUDA with the start of the compiler's log.
 */
export function compileKernel(
  nvrtc: NvrtcFunctions,
  source: KernelSource,
  target: CompileTarget,
): Buffer {
  const result = Buffer.alloc(8);
  const created = nvrtc.nvrtcCreateProgram(result, source.code, `${source.name}.cu`, 0, null, null);
  check("nvrtcCreateProgram", created, source);
  try {
    const program = readHandle(result);
    const options = compileOptions(source, target);
    const code = nvrtc.nvrtcCompileProgram(program, options.length, options);
    check("nvrtcCompileProgram", code, source, () => logOf(nvrtc, program));
    return target.arch.startsWith("sm_") ? machineCode(nvrtc, program) : ptx(nvrtc, program);
  } finally {
    nvrtc.nvrtcDestroyProgram(result);
  }
}

function machineCode(nvrtc: NvrtcFunctions, program: bigint): Buffer {
  const size = Buffer.alloc(8);
  check("nvrtcGetCUBINSize", nvrtc.nvrtcGetCUBINSize(program, size));
  const image = Buffer.alloc(readSize(size));
  check("nvrtcGetCUBIN", nvrtc.nvrtcGetCUBIN(program, image));
  return image;
}

function ptx(nvrtc: NvrtcFunctions, program: bigint): Buffer {
  const size = Buffer.alloc(8);
  check("nvrtcGetPTXSize", nvrtc.nvrtcGetPTXSize(program, size));
  const text = Buffer.alloc(readSize(size));
  check("nvrtcGetPTX", nvrtc.nvrtcGetPTX(program, text));
  return text;
}

function supportedArchs(nvrtc: NvrtcFunctions): number[] {
  const count = Buffer.alloc(4);
  check("nvrtcGetNumSupportedArchs", nvrtc.nvrtcGetNumSupportedArchs(count));
  const archs = Buffer.alloc(count.readInt32LE() * 4);
  check("nvrtcGetSupportedArchs", nvrtc.nvrtcGetSupportedArchs(archs));
  return Array.from({ length: archs.length / 4 }, (_, index) => archs.readInt32LE(index * 4));
}

function logOf(nvrtc: NvrtcFunctions, program: bigint): string {
  const size = Buffer.alloc(8);
  if (nvrtc.nvrtcGetProgramLogSize(program, size) !== 0) return "The compiler left no log.";
  const log = Buffer.alloc(readSize(size));
  if (nvrtc.nvrtcGetProgramLog(program, log) !== 0) return "The compiler left no log.";
  return readText(log)
    .replaceAll(/\n\s*\n/g, "\n")
    .trim()
    .slice(0, logBytesMax);
}

function check(call: string, code: number, source?: KernelSource, detail?: () => string): void {
  if (code === 0) return;
  const of = source === undefined ? "" : `The kernels are those of ${source.name}. `;
  const name = names[code] ?? "NVRTC_ERROR";
  const hint = "The GPU is not at fault: the kernel's source or the installation of NVRTC is.";
  throw cudaError({ call, name, code, detail: `${of}${detail?.() ?? ""}`.trim(), hint });
}
