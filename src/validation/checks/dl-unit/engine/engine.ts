import type { DType, RandomSpec, Tensor } from "../../../../runtime/tensor/index.ts";
import type { MatrixFormat } from "./formats.ts";

/** Where the cases compute: a GPU, or the host's processors. */
export const engineNames = ["cuda", "cpu", "torch"] as const;
export type EngineName = (typeof engineNames)[number];

/** Formats of an engine's tensors; i8 only for products, where it is computed at all. */
export type EngineDType = DType | "i8";

/** A tensor of an engine. It belongs to the scope it was made in. */
export interface EngineTensor {
  readonly dtype: EngineDType;
  readonly shape: readonly number[];
  readonly size: number;
}

/** The device under test. */
export interface EngineDevice {
  /** As reports name it: `gpu 3`, `process 1`. */
  readonly name: string;
  readonly index: number;
  readonly model: string;
  /** Of a GPU: stays with the board, whatever its number. */
  readonly uuid?: string;
  readonly pciBusId?: string;
}

export type NormKind = "layer" | "rms";
export type ActivationKind = "gelu" | "silu" | "relu";

export interface EngineMatmulOptions {
  /** Of the product. @default that of the operands */
  readonly dtype?: DType;
  /** f32 operands may be cut to 10 bits of fraction. @default false */
  readonly tf32?: boolean;
  readonly transposeA?: boolean;
  readonly transposeB?: boolean;
}

/** Queries, keys and values, [batch, heads, positions, width]. */
export interface AttentionOperands<T> {
  readonly q: T;
  readonly k: T;
  readonly v: T;
}

export interface AttentionForward<T> {
  readonly output: T;
  /** What the engine's backward pass needs beside the operands. */
  readonly saved: T;
}

/** A parameter and what AdamW remembers of it. */
export interface AdamWParameter<T> {
  readonly values: T;
  readonly mean: T;
  readonly square: T;
}

export interface AdamWSetting {
  /** From 1. */
  readonly step: number;
  readonly learningRate: number;
  readonly weightDecay: number;
}

/** What was found wrong in a memory or a matrix. */
export interface Mismatch {
  readonly wrong: number;
  /** The first place and what was there, in words. */
  readonly first: string;
}

/** What a walk through memory found and how fast it was. */
export interface MemoryWalk {
  readonly bytes: number;
  readonly totalBytes: number;
  /** Bytes written and read for each pattern, over the time of it. */
  readonly gbps: readonly number[];
  readonly mismatches: readonly (Mismatch & { readonly pattern: string })[];
}

/** Bandwidths of copies between host and device, and whether every byte came back. */
export interface TransferResult {
  readonly toDeviceGbps: readonly number[];
  readonly toHostGbps: readonly number[];
  readonly mismatch: Mismatch | undefined;
}

/**
 * What the cases are written in, so that one case runs on every engine. Results are the same bits
 * for the same inputs on the same device and software; what differs between engines is how sums are
 * ordered and rounded.
 */
export interface DlEngine<T extends EngineTensor = EngineTensor> {
  readonly name: "cuda" | "cpu";
  readonly device: EngineDevice;
  /** Whatever may change the bits, in words; runs with the same key are compared bit by bit. */
  readonly softwareKey: string;
  readonly versions: Readonly<Record<string, string>>;
  /** Why it cannot multiply matrices of a format; undefined when it can. */
  unsupported(format: MatrixFormat): string | undefined;

  /** Frees at its end what was made in it, except what `keep` was called with. */
  scope<R>(work: (keep: (tensor: T) => T) => R): R;
  /** As `scope`, for work that waits. Scopes nest; they do not overlap. */
  scopeAsync<R>(work: (keep: (tensor: T) => T) => Promise<R>): Promise<R>;
  /** The values on the device, as i8 when that is asked for: the host has it as i32. */
  upload(values: Tensor, as?: "i8"): T;
  /** Frees tensors before their scope ends. */
  drop(tensors: readonly T[]): void;
  /** The tensor, or some of its rows along the first dimension. */
  download(tensor: T, rows?: { readonly start: number; readonly count: number }): Tensor;
  /** The values of `tensor.random` with this spec, bit by bit. */
  random(
    shape: readonly number[],
    options: { readonly spec: RandomSpec; readonly dtype: DType },
  ): T;
  zeros(shape: readonly number[], dtype: DType): T;
  reshape(tensor: T, shape: readonly number[]): T;
  /** One text for all bits, dtype and shape. */
  digest(tensor: T): string;
  /** Turns over one bit, counted from the first element's lowest. Only for rehearsals. */
  flipBit(tensor: T, bit: number): void;
  /** Element [i, j] must be tile[i mod rows of the tile, j mod its columns], bit by bit. */
  compareWithTile(matrix: T, tile: Tensor): Mismatch | undefined;

  matmul(a: T, b: T, options?: EngineMatmulOptions): T;
  add(a: T, b: T): T;
  scale(x: T, factor: number): T;
  activation(kind: ActivationKind, x: T): T;
  activationBackward(kind: ActivationKind, gradient: T, x: T): T;
  norm(kind: NormKind, x: T, gain: T): T;
  normBackward(
    kind: NormKind,
    operands: { readonly gradient: T; readonly x: T; readonly gain: T },
  ): { readonly input: T; readonly gain: T };
  /** Along the last dimension. */
  softmax(x: T): T;
  /** Mean loss over rows, and the gradient of the logits. */
  crossEntropy(logits: T, targets: T): { readonly loss: number; readonly gradient: T };
  attention(operands: AttentionOperands<T>): AttentionForward<T>;
  attentionBackward(
    gradient: T,
    operands: AttentionOperands<T>,
    forward: AttentionForward<T>,
  ): AttentionOperands<T>;
  /** [batch * positions, heads * width] as [batch, heads, positions, width]. */
  splitHeads(x: T, layout: { readonly batch: number; readonly heads: number }): T;
  /** The inverse of `splitHeads`. */
  joinHeads(x: T): T;
  embedding(table: T, indices: T): T;
  embeddingBackward(gradient: T, indices: T, rows: number): T;
  /** [rows, columns] summed over rows. */
  sumRows(x: T): T;
  reduce(kind: "sum" | "max" | "min", x: T): number;
  adamW(parameter: AdamWParameter<T>, gradient: T, setting: AdamWSetting): AdamWParameter<T>;
  sgdMomentum(
    parameter: { readonly values: T; readonly velocity: T },
    gradient: T,
    setting: { readonly learningRate: number; readonly momentum: number },
  ): { readonly values: T; readonly velocity: T };

  /** Waits until the device has done everything, and lets signals be heard. */
  settle(signal: AbortSignal): Promise<void>;
  /** How long each of several pieces of work took, in milliseconds. */
  timeEach(count: number, work: (at: number) => void, signal: AbortSignal): Promise<number[]>;
  /** Writes patterns over a share of the free memory and reads them back. */
  walkMemory(options: MemoryWalkOptions): Promise<MemoryWalk>;
  /** Copies to the device and back; undefined where there is nothing to copy to. */
  transfer?(options: { readonly bytes: number; readonly rounds: number }): Promise<TransferResult>;
  /** A place for products beside what else the device does, such as a collective. */
  openSideLane(): SideLane<T>;
  /** The same engine with one of its kernels altered, for rehearsals. */
  altered(): DlEngine<T>;
  close(): void;
}

/** Where products are computed beside other work: a stream of its own on a GPU. */
export interface SideLane<T extends EngineTensor> {
  /** As the engine's own. Inputs must be there, and the product is when `time` has resolved. */
  matmul(a: T, b: T, options?: EngineMatmulOptions): T;
  /** Begins several pieces of work; resolves when they are done, to the milliseconds of all. */
  time(count: number, work: () => void, signal: AbortSignal): Promise<number>;
  close(): void;
}

/** What an engine can and cannot do. */
export type Abilities = Pick<DlEngine, "name" | "unsupported" | "transfer">;

export interface MemoryWalkOptions {
  /** Of what is free. */
  readonly share: number;
  readonly bytesMax: number;
  /** How often each pattern is written and read. */
  readonly rounds: number;
  /** For the random pattern. */
  readonly seed: number;
  /** Turns over one bit between writing and reading, for rehearsals. */
  readonly flip?: { readonly bit: number };
  readonly signal: AbortSignal;
}
