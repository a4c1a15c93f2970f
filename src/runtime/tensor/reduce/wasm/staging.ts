import { type DType, decodeInto, dtypeInfo, type RawArray, rawOver } from "../../dtype/index.ts";
import { philoxKeyOf, type RandomSpec } from "../../random/index.ts";
import { readSource } from "../read-source.ts";
import type { ChunkSource } from "../types.ts";
import type { Wave } from "./wave.ts";

/** How kernels get at a source during one wave. */
export type StagedSource =
  | {
      readonly kind: "copy";
      /** Index into the buffers of the jobs. */
      readonly buffer: number;
      /** Where the wave begins in the buffer. */
      readonly startBytes: number;
    }
  | {
      readonly kind: "constant";
      /** Eight bytes of it as it is stored, in two halves. */
      readonly stored: readonly [number, number];
      /** Its bits as a single, twice. */
      readonly single: readonly [number, number];
    }
  | {
      readonly kind: "random";
      readonly values: "uniform" | "symmetric";
      readonly key: readonly [number, number];
      readonly counterHigh: readonly [number, number];
      /** The index of the wave's first value in its stream. */
      readonly start: number;
    };

export interface Staged {
  readonly sources: readonly StagedSource[];
  readonly buffers: readonly (SharedArrayBuffer | ArrayBuffer)[];
}

/** What staging a wave needs to know. */
export interface StagingOptions {
  readonly dtype: DType;
  readonly sources: readonly ChunkSource[];
}

/** Sources that no kernel makes and no buffer holds are read here first, a wave at a time. */
export function isReadFirst(source: ChunkSource, dtype: DType): boolean {
  if (source.kind === "random") return !isMadeByKernels(source.spec, dtype);
  return source.kind === "patched";
}

/**
 * Prepares the sources of one request for the kernels, wave by wave. Buffers keep their index, so
 * that what threads were sent once is known to them.
 */
export class Staging {
  readonly #options: StagingOptions;
  readonly #buffers: (SharedArrayBuffer | ArrayBuffer)[] = [];
  readonly #indices = new Map<ArrayBufferLike, number>();
  readonly #read = new Map<number, RawArray>();

  constructor(options: StagingOptions) {
    this.#options = options;
  }

  stage(wave: Wave): Staged {
    const sources = this.#options.sources.map((source, rank) => this.#stageOne(source, rank, wave));
    return { sources, buffers: this.#buffers };
  }

  /** The index of a buffer that jobs read or write. */
  indexOf(buffer: ArrayBufferLike): number {
    let index = this.#indices.get(buffer);
    if (index === undefined) {
      index = this.#buffers.push(buffer) - 1;
      this.#indices.set(buffer, index);
    }
    return index;
  }

  #stageOne(source: ChunkSource, rank: number, wave: Wave): StagedSource {
    const { dtype } = this.#options;
    switch (source.kind) {
      case "raw":
        return this.#copy(source.raw, source.start + wave.start);
      case "constant":
        return constantOf(source.value, dtype);
      case "random":
        if (!isMadeByKernels(source.spec, dtype)) return this.#readFirst(source, rank, wave);
        return {
          kind: "random",
          values: source.spec.kind as "uniform" | "symmetric",
          ...philoxKeyOf(source.spec),
          start: source.start + wave.start,
        };
      case "patched": {
        const end = wave.start + wave.count;
        const isPatched = source.patches.some(({ index }) => index >= wave.start && index < end);
        if (isPatched) return this.#readFirst(source, rank, wave);
        return this.#stageOne(source.source, rank, wave);
      }
    }
  }

  #copy(raw: RawArray, start: number): Extract<StagedSource, { kind: "copy" }> {
    const startBytes = raw.byteOffset + start * dtypeInfo(this.#options.dtype).bytes;
    return { kind: "copy", buffer: this.indexOf(raw.buffer), startBytes };
  }

  #readFirst(source: ChunkSource, rank: number, wave: Wave): StagedSource {
    const { dtype } = this.#options;
    let raw = this.#read.get(rank);
    if (raw === undefined || raw.length < wave.count) {
      raw = sharedRaw(dtype, wave.count);
      this.#read.set(rank, raw);
    }
    readSource(source, dtype, wave.start, wave.count, raw, 0);
    return this.#copy(raw, 0);
  }
}

function constantOf(value: number, dtype: DType): StagedSource {
  const raw = rawOver(dtype, {
    buffer: new ArrayBuffer(8),
    byteOffset: 0,
    count: 8 / dtypeInfo(dtype).bytes,
  });
  readSource({ kind: "constant", value }, dtype, 0, raw.length, raw, 0);
  const [low = 0, high = 0] = new Int32Array(raw.buffer);
  const values = new Float64Array(1);
  decodeInto(dtype, raw, 0, 1, values);
  const [single = 0] = new Int32Array(Float32Array.from(values).buffer);
  return { kind: "constant", stored: [low, high], single: [single, single] };
}

function isMadeByKernels(spec: RandomSpec, dtype: DType): boolean {
  return dtype === "f32" && spec.kind !== "normal";
}

/** Shared whatever its size, so that one small source does not keep the threads out. */
export function sharedRaw(dtype: DType, count: number): RawArray {
  const buffer = new SharedArrayBuffer(count * dtypeInfo(dtype).bytes);
  return rawOver(dtype, { buffer, byteOffset: 0, count });
}
