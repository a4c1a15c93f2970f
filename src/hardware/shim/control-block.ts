import type { CudaFault } from "../objects/index.ts";

/** What CUDA calls answer, see `cudaCodesOf`. */
export interface FaultCodes {
  readonly inFlight: number;
  readonly onInit: number;
  readonly sticky: boolean;
}

/** What a control block says. */
export interface ControlState {
  /** True until it is disarmed; past `expiresAtMs` the shim does nothing all the same. */
  readonly armed: boolean;
  /** Counts armings; 0: there was none yet. */
  readonly generation: number;
  /** Milliseconds since 1970; 0 where it never was armed. */
  readonly armedAtMs: number;
  readonly expiresAtMs: number;
  /** What it was last armed with; undefined where it never was. */
  readonly fault?: CudaFault;
  readonly codes?: FaultCodes;
}

/** What one arming puts into the block. */
export interface ControlOrder {
  readonly fault: CudaFault;
  readonly codes: FaultCodes;
  readonly generation: number;
  readonly armedAtMs: number;
  readonly expiresAtMs: number;
}

/** The layout of native/cuda-fault/control-block.h: where each number is, and what kind it is. */
export const controlLayout = {
  magic: { offset: 0, type: "u32" },
  version: { offset: 4, type: "u32" },
  armed: { offset: 12, type: "u32" },
  generation: { offset: 16, type: "u64" },
  armedAtMs: { offset: 24, type: "i64" },
  expiresAtMs: { offset: 32, type: "i64" },
  xid: { offset: 40, type: "u32" },
  inFlight: { offset: 44, type: "i32" },
  onInit: { offset: 48, type: "i32" },
  flags: { offset: 52, type: "u32" },
  gpuMask: { offset: 56, type: "u64" },
  afterCalls: { offset: 64, type: "u64" },
  afterMs: { offset: 72, type: "u64" },
  probability: { offset: 80, type: "u32" },
  latencyNs: { offset: 88, type: "u64" },
  seed: { offset: 96, type: "u64" },
  checksum: { offset: 104, type: "u64" },
} as const;

export const controlBytes = 4096;
/** From the first number that the checksum covers to the end of the checksum. */
export const bodyOffset = controlLayout.generation.offset;
export const bodyEnd = controlLayout.checksum.offset + 8;

const magic = 0x46_43_53_54;
const version = 1;
const stickyFlag = 1;
const allGpus = 2n ** 64n - 1n;
const probabilityOne = 2 ** 32 - 1;
const gpusMax = 64;

type FieldName = keyof typeof controlLayout;

/** A whole block that is not armed. */
export function emptyControl(): Buffer {
  const block = Buffer.alloc(controlBytes);
  write(block, "magic", magic);
  write(block, "version", version);
  seal(block);
  return block;
}

/** A whole block with everything but the word that arms it. */
export function encodeControl(order: ControlOrder): Buffer {
  const { fault, codes } = order;
  const block = emptyControl();
  write(block, "generation", order.generation);
  write(block, "armedAtMs", Math.floor(order.armedAtMs));
  write(block, "expiresAtMs", Math.floor(order.expiresAtMs));
  write(block, "xid", fault.xid);
  write(block, "inFlight", codes.inFlight);
  write(block, "onInit", codes.onInit);
  write(block, "flags", codes.sticky ? stickyFlag : 0);
  write(block, "gpuMask", maskOf(fault.gpus));
  write(block, "afterCalls", fault.afterCalls ?? 0);
  write(block, "afterMs", Math.ceil(fault.afterMs ?? 0));
  write(block, "probability", probabilityUnits(fault.probability ?? 1));
  write(block, "latencyNs", Math.round((fault.latencyUs ?? 0) * 1000));
  write(block, "seed", BigInt.asUintN(64, BigInt(Math.trunc(fault.seed ?? 0))));
  seal(block);
  return block;
}

/** The same block with another end. */
export function withExpiry(block: Buffer, expiresAtMs: number): Buffer {
  const changed = Buffer.from(block);
  write(changed, "expiresAtMs", Math.floor(expiresAtMs));
  seal(changed);
  return changed;
}

/** What is wrong with a block; undefined: nothing. */
export function controlProblem(block: Buffer): string | undefined {
  if (block.length < controlBytes) return `it has ${block.length} of ${controlBytes} bytes`;
  if (read(block, "magic") !== BigInt(magic)) return "it is not a control block";
  if (read(block, "version") !== BigInt(version))
    return `its version is ${read(block, "version")}, not ${version}`;
  if (checksumOf(block) !== read(block, "checksum")) return "its checksum is wrong";
  return undefined;
}

/** Reads a block that has no problem. */
export function decodeControl(block: Buffer): ControlState {
  const number = (name: FieldName): number => Number(read(block, name));
  const state = {
    armed: number("armed") !== 0,
    generation: number("generation"),
    armedAtMs: number("armedAtMs"),
    expiresAtMs: number("expiresAtMs"),
  };
  if (state.generation === 0) return state;
  const gpus = gpusOf(read(block, "gpuMask"));
  const units = number("probability");
  const fault: CudaFault = {
    xid: number("xid"),
    ...(gpus === undefined ? {} : { gpus }),
    ...positive("afterCalls", number("afterCalls")),
    ...positive("afterMs", number("afterMs")),
    ...(units === probabilityOne ? {} : { probability: units / 2 ** 32 }),
    ...positive("latencyUs", number("latencyNs") / 1000),
    ...positive("seed", number("seed")),
  };
  const sticky = (number("flags") & stickyFlag) !== 0;
  const codes = { inFlight: number("inFlight"), onInit: number("onInit"), sticky };
  return { ...state, fault, codes };
}

function positive(name: string, value: number): Record<string, number> {
  return value > 0 ? { [name]: value } : {};
}

function maskOf(gpus: readonly number[] | undefined): bigint {
  if (gpus === undefined) return allGpus;
  return gpus.reduce((mask, gpu) => mask | (1n << BigInt(gpu)), 0n);
}

function gpusOf(mask: bigint): readonly number[] | undefined {
  if (mask === allGpus) return undefined;
  return Array.from({ length: gpusMax }, (_, gpu) => gpu).filter(
    (gpu) => ((mask >> BigInt(gpu)) & 1n) === 1n,
  );
}

/** The smallest chance that is one stays one. */
function probabilityUnits(probability: number): number {
  const units = Math.min(probabilityOne, Math.round(probability * 2 ** 32));
  return probability > 0 ? Math.max(1, units) : 0;
}

function seal(block: Buffer): void {
  write(block, "checksum", checksumOf(block));
}

/** FNV-1a over words of eight bytes. */
function checksumOf(block: Buffer): bigint {
  let sum = 0xcb_f2_9c_e4_84_22_23_25n;
  for (let at = bodyOffset; at < controlLayout.checksum.offset; at += 8) {
    sum = BigInt.asUintN(64, (sum ^ block.readBigUInt64LE(at)) * 0x1_00_00_00_01_b3n);
  }
  return sum;
}

function write(block: Buffer, name: FieldName, value: number | bigint): void {
  const { offset, type } = controlLayout[name];
  if (type === "u32") block.writeUInt32LE(Number(value), offset);
  else if (type === "i32") block.writeInt32LE(Number(value), offset);
  else if (type === "i64") block.writeBigInt64LE(BigInt(value), offset);
  else block.writeBigUInt64LE(BigInt(value), offset);
}

function read(block: Buffer, name: FieldName): bigint {
  const { offset, type } = controlLayout[name];
  if (type === "u32") return BigInt(block.readUInt32LE(offset));
  if (type === "i32") return BigInt(block.readInt32LE(offset));
  if (type === "i64") return block.readBigInt64LE(offset);
  return block.readBigUInt64LE(offset);
}
