import { dtypeInfo, encodeInto } from "../../dtype/index.ts";
import { type Job, runOnThreads, type Step } from "../../kernels/index.ts";
import { isNarrowFloat } from "../exact/certificate.ts";
import { type FoldSegment, stackDepth } from "../fold/order.ts";
import type { ResolvedRequest } from "../request.ts";
import { foldKernels, foldSteps } from "./fold-kernels.ts";
import { combineSteps, type FoldMemory, type FoldPlan } from "./fold-steps.ts";
import { chunkElements, MemoryPlan, reserveSlots, roundUp, slotsMax } from "./memory.ts";
import { randomKernels } from "./random-kernels.ts";
import { callOf, isWidened } from "./stage-steps.ts";
import { Staging, sharedRaw } from "./staging.ts";
import { allChunks, type ChunkPlace, chunkPrograms, type Wave, wavesOf } from "./wave.ts";
import { jobsPerWave, waveSize } from "./wave-size.ts";
import { widenKernels } from "./widen-kernels.ts";

/** A fold for which there are kernels. */
export interface KernelFold {
  readonly request: ResolvedRequest;
  readonly segments: readonly FoldSegment[];
  /** One of `foldSteps`. */
  readonly kernel: string;
}

const chunkBytes = 4 * chunkElements;
// Below this, what has to be said to the threads costs more than they save.
const segmentElementsMin = 4096;
const modules = [foldKernels, randomKernels, widenKernels];

/** The kernel that takes the steps of this request; undefined when TypeScript has to. */
export function foldKernelOf(
  { dtype, op, carrier, count }: ResolvedRequest,
  segments: readonly FoldSegment[],
): string | undefined {
  if (count < segmentElementsMin * segments.length) return undefined;
  let type: string = carrier;
  if (op === "band" || op === "bor" || op === "bxor") type = "bits";
  else if (isNarrowFloat(dtype) && (op === "min" || op === "max")) type = "f32";
  else if (type === "f64" && dtype !== "f64") return undefined;
  const isAverage = op === "avg" && dtypeInfo(dtype).kind === "float";
  const kernel = `${type}-${isAverage ? "sum" : op}`;
  return kernel in foldSteps ? kernel : undefined;
}

/** Combines in the given order by the kernels; returns how many threads took part. */
export function foldOnThreads({ request, segments, kernel }: KernelFold): number {
  const { dtype, sources, out, outStart } = request;
  const asStored = kernel.startsWith("bits-");
  const bytes = asStored || !isWidened(dtype) ? dtypeInfo(dtype).bytes : 4;
  const chunk = chunkBytes / bytes;
  const size = waveSize(request, chunk);
  const staging = new Staging({ dtype, sources });
  const rounds = isWidened(dtype) && !asStored;
  const doubles = rounds
    ? (sharedRaw("f64", Math.min(size, request.count)) as Float64Array)
    : undefined;
  let threads = 1;
  for (const segment of segments) {
    const { memory, promoted, sizeBytes } = planMemory(stackDepth(segment.steps));
    for (const { start, count } of wavesOf(segment.count, size)) {
      const wave: Wave = { start: segment.start + start, count };
      const { sources: staged, buffers } = staging.stage(wave);
      const plan: FoldPlan = {
        dtype,
        kernel,
        sources: staged,
        steps: segment.steps,
        bytes,
        asStored,
        memory,
      };
      const runMax = Math.max(1, Math.ceil(count / chunk / jobsPerWave));
      const programs = chunkPrograms(
        { wave, chunk, runs: allChunks(wave, chunk, runMax) },
        (place) => [
          ...combineSteps(plan, place),
          ...settleSteps(request, plan, place),
          ...(doubles === undefined
            ? []
            : [callOf(foldKernels, "promote", [memory.stack, promoted, roundUp(place.count, 16)])]),
          copyOut({ request, wave, place, staging, doubles }, doubles ? promoted : memory.stack),
        ],
      );
      const jobs = programs.map(
        (program): Job => ({ buffers, modules, memoryBytes: sizeBytes, program }),
      );
      const limits = request.threads === undefined ? {} : { threads: request.threads };
      threads = Math.max(threads, runOnThreads(jobs, limits).threads);
      if (doubles !== undefined) encodeInto(dtype, doubles, 0, count, out, outStart + wave.start);
    }
  }
  return threads;
}

function planMemory(depth: number): {
  readonly memory: FoldMemory;
  readonly promoted: number;
  readonly sizeBytes: number;
} {
  const plan = new MemoryPlan();
  const stack = reserveSlots(plan, depth);
  const slots = reserveSlots(plan, slotsMax);
  const stored = plan.reserve(chunkBytes);
  const promoted = plan.reserve(2 * chunkBytes);
  return { memory: { stack, slots, stored }, promoted, sizeBytes: plan.sizeBytes };
}

/** Averages divide the sum; floats leave with the one NaN we write. */
function settleSteps(request: ResolvedRequest, plan: FoldPlan, place: ChunkPlace): readonly Step[] {
  if (plan.asStored || dtypeInfo(request.dtype).kind === "integer") return [];
  const type = request.dtype === "f64" ? "F64" : "F32";
  const at = plan.memory.stack;
  const sizeBytes = roundUp(place.count * plan.bytes, 64);
  const divisor = request.sources.length;
  return [
    ...(request.op === "avg"
      ? [callOf(foldKernels, `divide${type}`, [at, sizeBytes, divisor])]
      : []),
    callOf(foldKernels, `settle${type}`, [at, sizeBytes]),
  ];
}

interface Output {
  readonly request: ResolvedRequest;
  readonly wave: Wave;
  readonly place: ChunkPlace;
  readonly staging: Staging;
  readonly doubles: Float64Array | undefined;
}

function copyOut({ request, wave, place, staging, doubles }: Output, address: number): Step {
  const to = doubles ?? request.out;
  const bytes = to.BYTES_PER_ELEMENT;
  const first = doubles === undefined ? request.outStart + wave.start : 0;
  return {
    kind: "copyOut",
    buffer: staging.indexOf(to.buffer),
    start: place.at(to.byteOffset + first * bytes, bytes),
    address,
    sizeBytes: place.count * bytes,
  };
}
