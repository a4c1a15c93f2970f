import type { Prototypes } from "./bind.ts";

/** Functions of the kernel compiler NVRTC, the same in 12 and 13. Each answers an nvrtcResult. */
export interface NvrtcFunctions {
  nvrtcVersion(major: Uint8Array, minor: Uint8Array): number;
  nvrtcGetNumSupportedArchs(count: Uint8Array): number;
  nvrtcGetSupportedArchs(archs: Uint8Array): number;
  nvrtcCreateProgram(
    program: Uint8Array,
    source: string,
    name: string,
    headerCount: number,
    headers: null,
    includeNames: null,
  ): number;
  nvrtcDestroyProgram(program: Uint8Array): number;
  nvrtcCompileProgram(program: bigint, optionCount: number, options: readonly string[]): number;
  nvrtcGetProgramLogSize(program: bigint, bytes: Uint8Array): number;
  nvrtcGetProgramLog(program: bigint, log: Uint8Array): number;
  nvrtcGetCUBINSize(program: bigint, bytes: Uint8Array): number;
  nvrtcGetCUBIN(program: bigint, image: Uint8Array): number;
  nvrtcGetPTXSize(program: bigint, bytes: Uint8Array): number;
  nvrtcGetPTX(program: bigint, text: Uint8Array): number;
}

export const nvrtcPrototypes: Prototypes<NvrtcFunctions> = {
  nvrtcVersion: "int nvrtcVersion(void *major, void *minor)",
  nvrtcGetNumSupportedArchs: "int nvrtcGetNumSupportedArchs(void *count)",
  nvrtcGetSupportedArchs: "int nvrtcGetSupportedArchs(void *archs)",
  nvrtcCreateProgram:
    "int nvrtcCreateProgram(void *program, const char *source, const char *name, int headerCount, void *headers, void *includeNames)",
  nvrtcDestroyProgram: "int nvrtcDestroyProgram(void *program)",
  nvrtcCompileProgram:
    "int nvrtcCompileProgram(void *program, int optionCount, const char **options)",
  nvrtcGetProgramLogSize: "int nvrtcGetProgramLogSize(void *program, void *bytes)",
  nvrtcGetProgramLog: "int nvrtcGetProgramLog(void *program, void *log)",
  nvrtcGetCUBINSize: "int nvrtcGetCUBINSize(void *program, void *bytes)",
  nvrtcGetCUBIN: "int nvrtcGetCUBIN(void *program, void *image)",
  nvrtcGetPTXSize: "int nvrtcGetPTXSize(void *program, void *bytes)",
  nvrtcGetPTX: "int nvrtcGetPTX(void *program, void *text)",
};
