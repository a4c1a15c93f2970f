/** What CUDA calls answer while a GPU has this fault. */
export interface CudaCodes {
  /** Of calls in a process that was at work. */
  readonly inFlight: number;
  /** Of the first calls of a process that starts meanwhile; 0: those go well, its work then fails. */
  readonly onInit: number;
  /** True where the process must end: every later call answers the same. */
  readonly sticky: boolean;
}

/** Values of cudaError_t (and CUresult, which agrees on all of these). */
const code = {
  noDevice: 100,
  eccUncorrectable: 214,
  nvlinkUncorrectable: 220,
  contained: 226,
  illegalAddress: 700,
  launchTimeout: 702,
  launchFailure: 719,
  systemNotReady: 802,
  unknown: 999,
} as const;

/** The application's own context is lost; the GPU takes the next one. */
const ofProcess = (inFlight: number): CudaCodes => ({ inFlight, onInit: 0, sticky: true });
/** The GPU is of no use to anybody until it is reset. */
const ofGpu = (inFlight: number): CudaCodes => ({ inFlight, onInit: inFlight, sticky: true });
/** It does not come up; there is nothing yet that could be lost. */
const notReady: CudaCodes = {
  inFlight: code.systemNotReady,
  onInit: code.systemNotReady,
  sticky: false,
};

const byXid: ReadonlyMap<number, CudaCodes> = new Map([
  [13, ofProcess(code.launchFailure)],
  [31, ofProcess(code.illegalAddress)],
  [43, ofProcess(code.launchFailure)],
  [45, ofProcess(code.launchFailure)],
  [46, ofGpu(code.launchTimeout)],
  [48, ofGpu(code.eccUncorrectable)],
  [62, ofGpu(code.unknown)],
  [64, ofGpu(code.eccUncorrectable)],
  [74, ofGpu(code.nvlinkUncorrectable)],
  [79, { inFlight: code.unknown, onInit: code.noDevice, sticky: true }],
  [94, ofProcess(code.contained)],
  [95, ofGpu(code.eccUncorrectable)],
  [109, ofGpu(code.launchTimeout)],
  [119, ofGpu(code.unknown)],
  [120, ofGpu(code.unknown)],
  [136, notReady],
  [137, ofProcess(code.contained)],
  [140, ofGpu(code.eccUncorrectable)],
  [143, notReady],
  ...[144, 145, 146, 147, 148, 149, 150].map(
    (xid) => [xid, ofGpu(code.nvlinkUncorrectable)] as const,
  ),
  [151, ofGpu(code.unknown)],
  [155, ofGpu(code.nvlinkUncorrectable)],
  [158, ofGpu(code.launchTimeout)],
]);

/** Null where CUDA calls do not notice. */
export function codesOf(xid: number): CudaCodes | null {
  return byXid.get(xid) ?? null;
}
