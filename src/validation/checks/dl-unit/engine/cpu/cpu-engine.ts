import { type Clock, sleep } from "../../../../../platform/time/index.ts";
import { bytesOf } from "../../../../../runtime/tensor/dtype/index.ts";
import { random, type Tensor, zeros } from "../../../../../runtime/tensor/index.ts";
import { defaultEngine } from "../../../../../runtime/tensor/kernels/index.ts";
import { compareWithTile } from "../../verify/compare-tile.ts";
import type { DlEngine, EngineDevice, SideLane } from "../engine.ts";
import type { MatrixFormat } from "../formats.ts";
import { alterations, noAlterations } from "./alterations.ts";
import { cpuOperations } from "./cpu-operations.ts";
import { walkHostMemory } from "./walk-host-memory.ts";

export interface CpuEngineOptions {
  readonly clock: Clock;
  readonly device: EngineDevice;
  /** With kernels that make a mistake, for rehearsals. @default false */
  readonly altered?: boolean;
}

/**
 * Bits do not depend on the machine, its number of threads, the kernel engine or Node's version:
 * what determines them is this program's own arithmetic, whose version this is. A change of it
 * needs a new number here.
 */
const arithmeticVersion = 1;

/** The cases on the host's processors, with the runtime's own kernels. */
export function createCpuEngine(options: CpuEngineOptions): DlEngine<Tensor> {
  const { clock, device, altered = false } = options;
  const kernels = altered ? alterations : noAlterations;
  const timeEach: DlEngine<Tensor>["timeEach"] = async (count, work, signal) => {
    const timesMs: number[] = [];
    for (let at = 0; at < count; at++) {
      await sleep(clock, 0, signal);
      const startedMs = clock.monotonicMs();
      work(at);
      timesMs.push(clock.monotonicMs() - startedMs);
    }
    return timesMs;
  };
  return {
    name: "cpu",
    device,
    softwareKey: `cpu arithmetic ${arithmeticVersion}`,
    versions: { node: process.version, kernels: defaultEngine() },
    unsupported,
    scope: (work) => work(kept),
    scopeAsync: (work) => work(kept),
    drop: () => {},
    upload: (values) => values,
    download: (tensor, rows) =>
      rows === undefined
        ? tensor
        : tensor.slice([{ start: rows.start, stop: rows.start + rows.count }]),
    random: (shape, { spec, dtype }) => random(shape, { spec, dtype }),
    zeros: (shape, dtype) => zeros(shape, { dtype }),
    reshape: (tensor, shape) => tensor.reshape(shape),
    digest: (tensor) => tensor.digest(),
    flipBit,
    compareWithTile: (matrix, tile) => compareWithTile(matrix, tile),
    ...kernels,
    ...cpuOperations,
    settle: (signal) => sleep(clock, 0, signal),
    timeEach,
    walkMemory: (walk) => walkHostMemory({ ...walk, clock }),
    openSideLane: () => sideLane(clock, kernels),
    altered: () => createCpuEngine({ ...options, altered: true }),
    close: () => {},
  };
}

/** One thread has one lane: products and the network take turns. */
function sideLane(clock: Clock, { matmul }: Pick<DlEngine<Tensor>, "matmul">): SideLane<Tensor> {
  return {
    matmul,
    time: async (count, work, signal) => {
      const startedMs = clock.monotonicMs();
      for (let at = 0; at < count; at++) {
        await sleep(clock, 0, signal);
        work();
      }
      return clock.monotonicMs() - startedMs;
    },
    close: () => {},
  };
}

const kept = (tensor: Tensor): Tensor => tensor;

function unsupported(format: MatrixFormat): string | undefined {
  if (format === "tf32") return "tf32 is a format of GPUs alone";
  if (format === "i8") return "products in i8 are computed on GPUs alone";
  return undefined;
}

/** In place: a tensor is a value, and this is the one place where that is broken on purpose. */
function flipBit(tensor: Tensor, bit: number): void {
  const bytes = bytesOf(tensor.raw);
  const at = Math.floor(bit / 8) % bytes.length;
  bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit % 8));
}
