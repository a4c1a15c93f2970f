import type { WasmFunction, WasmModule, WebAssemblyApi } from "../wasm/web-assembly.ts";
import type { CopyRows } from "./copy-rows.ts";
import type { ViewOf } from "./create-views.ts";
import type { CallStep, CopyStep, Operand, SentJob, Step } from "./job.ts";

/** What executes jobs on one thread: its instances of the kernels and its memory. */
export interface JobRunner {
  addModule(name: string, module: WasmModule): void;
  /** `onStep` is called before each step: a sign of life. */
  run(job: SentJob, onStep?: () => void): void;
}

/** What a runner is made of; functions come along because their text must travel too. */
export interface RunnerParts {
  readonly webAssembly: WebAssemblyApi;
  readonly memoryMaxBytes: number;
  readonly copyRows: CopyRows;
  readonly createViews: () => ViewOf;
}

/**
 * Makes the one interpreter of job programs; the caller's thread and the helpers run the same.
 *
 * Its text is also part of a thread's source, so it must stand alone: no imports but types, no
 * names from outside.
 */
export function createJobRunner(parts: RunnerParts): JobRunner {
  const { webAssembly, memoryMaxBytes, copyRows, createViews } = parts;
  const viewOf = createViews();
  const pageBytes = 65_536;
  const memory = new webAssembly.Memory({ initial: 1, maximum: memoryMaxBytes / pageBytes });
  const kernels = new Map<string, Readonly<Record<string, WasmFunction>>>();

  const valueOf = (operand: Operand, counters: readonly number[]): number => {
    if (typeof operand === "number") return operand;
    let value = operand.from;
    for (const [depth, step] of operand.by.entries()) value += step * (counters[depth] ?? 0);
    return value;
  };

  const copy = (step: CopyStep, job: SentJob, counters: readonly number[]): void => {
    const buffer = job.buffers[step.buffer];
    if (buffer === undefined) throw new RangeError(`a job has no buffer ${step.buffer}`);
    const buffered = { bytes: viewOf(buffer), at: valueOf(step.start, counters) };
    const held = { bytes: viewOf(memory.buffer), at: valueOf(step.address, counters) };
    const { count, bufferStride, addressStride } = step.rows ?? {
      count: 1,
      bufferStride: 0,
      addressStride: 0,
    };
    const ofBuffer = { ...buffered, stride: bufferStride };
    const ofMemory = { ...held, stride: addressStride };
    copyRows({
      from: step.kind === "copyIn" ? ofBuffer : ofMemory,
      to: step.kind === "copyIn" ? ofMemory : ofBuffer,
      rows: valueOf(count, counters),
      sizeBytes: valueOf(step.sizeBytes, counters),
    });
  };

  const call = (step: CallStep, counters: readonly number[]): void => {
    const kernel = kernels.get(step.module)?.[step.kernel];
    if (kernel === undefined) throw new TypeError(`no kernel ${step.module}.${step.kernel}`);
    kernel(...step.args.map((operand) => valueOf(operand, counters)));
  };

  const runSteps = (o: {
    readonly steps: readonly Step[];
    readonly job: SentJob;
    readonly counters: readonly number[];
    readonly onStep: () => void;
  }): void => {
    for (const step of o.steps) {
      o.onStep();
      if (step.kind === "call") call(step, o.counters);
      else if (step.kind !== "repeat") copy(step, o.job, o.counters);
      else {
        for (let turn = 0; turn < step.count; turn++) {
          runSteps({ ...o, steps: step.steps, counters: [...o.counters, turn] });
        }
      }
    }
  };

  return {
    addModule: (name, module) => {
      const instance = new webAssembly.Instance(module, { env: { memory } });
      kernels.set(name, instance.exports);
    },
    run: (job, onStep = () => {}) => {
      const missing = job.memoryBytes - memory.buffer.byteLength;
      if (missing > 0) memory.grow(Math.ceil(missing / pageBytes));
      runSteps({ steps: job.program, job, counters: [], onStep });
    },
  };
}
