import type { KernelModule } from "../wasm/define-kernels.ts";

/**
 * A number of a step: fixed, or moving with the repeats around it. `by[d]` is what each turn of the
 * d-th repeat adds, counted from the outermost.
 */
export type Operand = number | { readonly from: number; readonly by: readonly number[] };

/** Moves bytes between a buffer and the thread's memory, optionally row by row. */
export interface CopyStep {
  readonly kind: "copyIn" | "copyOut";
  /** Index into the job's buffers. */
  readonly buffer: number;
  /** Where in the buffer, in bytes. */
  readonly start: Operand;
  /** Where in the thread's memory. */
  readonly address: Operand;
  /** How much, of each row when there are several. */
  readonly sizeBytes: Operand;
  /** @default one row */
  readonly rows?: {
    readonly count: Operand;
    /** From one row to the next in the buffer, in bytes. */
    readonly bufferStride: number;
    /** From one row to the next in memory. */
    readonly addressStride: number;
  };
}

/** Calls a kernel with numbers: i32, f32 and f64 parameters, no i64. */
export interface CallStep {
  readonly kind: "call";
  /** One of the job's modules, by name. */
  readonly module: string;
  readonly kernel: string;
  readonly args: readonly Operand[];
}

export interface RepeatStep {
  readonly kind: "repeat";
  readonly count: number;
  readonly steps: readonly Step[];
}

export type Step = CopyStep | CallStep | RepeatStep;

/**
 * A piece of work for whichever thread takes it. While it runs it owns that thread's memory, from
 * address 0; what it finds there is what an earlier job left.
 */
export interface Job {
  /** What it reads and writes. With a buffer that is not shared, all jobs run on the caller's thread. */
  readonly buffers: readonly (SharedArrayBuffer | ArrayBuffer)[];
  readonly modules: readonly KernelModule[];
  /** How much memory it needs; at most `jobMemoryMaxBytes`. */
  readonly memoryBytes: number;
  readonly program: readonly Step[];
}

/** A job as it travels: the modules went before it. */
export type SentJob = Omit<Job, "modules">;

export const jobMemoryMaxBytes = 256 * 2 ** 20;
