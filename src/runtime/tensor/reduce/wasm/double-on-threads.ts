import { encodeInto } from "../../dtype/index.ts";
import { type Job, runOnThreads, type Step } from "../../kernels/index.ts";
import { DoubleSummer } from "../exact/sum-double.ts";
import type { ResolvedRequest } from "../request.ts";
import { doubleKernels, runningPartBytes } from "./double-kernels.ts";
import { Judged, judgedBitsAt } from "./judged.ts";
import { MemoryPlan, roundUp } from "./memory.ts";
import type { ThreadedOutcome } from "./outcome.ts";
import { randomKernels } from "./random-kernels.ts";
import { callOf, stageSteps, stepElements } from "./stage-steps.ts";
import { type StagedSource, Staging } from "./staging.ts";
import { allChunks, type ChunkPlace, chunkPrograms, type Wave, wavesOf } from "./wave.ts";
import { jobsPerWave, waveSize } from "./wave-size.ts";

const chunk = 8192;
const modules = [doubleKernels, randomKernels];
const openPiece = 2048;

interface DoubleMemory {
  readonly totals: number;
  readonly partials: number;
  readonly slot: number;
  readonly judged: number;
  readonly sizeBytes: number;
}

/** Exact sums of f64: by the kernels where sum and errors suffice, in TypeScript where they do not. */
export function sumDoublesOnThreads(request: ResolvedRequest): ThreadedOutcome {
  const { count, sources, groups, op } = request;
  const size = waveSize(request, chunk);
  const staging = new Staging({ dtype: "f64", sources });
  const judged = new Judged(Math.min(size, count), chunk);
  const divisor = op === "avg" ? sources.length : 1;
  const summer = new DoubleSummer({ dtype: "f64", sources, groups, divisor }, openPiece);
  let threads = 1;
  let accumulated = 0;
  for (const wave of wavesOf(count, size)) {
    threads = Math.max(threads, addUp({ request, wave, staging, judged, divisor }));
    accumulated += accumulate(request, { wave, judged, summer });
  }
  return { accumulated, threads };
}

interface WaveWork {
  readonly request: ResolvedRequest;
  readonly wave: Wave;
  readonly staging: Staging;
  readonly judged: Judged;
  readonly divisor: number;
}

function addUp({ request, wave, staging, judged, divisor }: WaveWork): number {
  const { out, outStart } = request;
  const memory = planMemory();
  const { sources, buffers } = staging.stage(wave);
  const runMax = Math.max(1, Math.ceil(wave.count / chunk / jobsPerWave));
  const runs = allChunks(wave, chunk, runMax);
  const outIndex = staging.indexOf(out.buffer);
  const programs = chunkPrograms({ wave, chunk, runs }, (place) => [
    ...addSteps(request, { sources, memory, place }),
    callOf(doubleKernels, "settle", [memory.totals, place.count, divisor, memory.judged]),
    {
      kind: "copyOut",
      buffer: outIndex,
      start: place.at(out.byteOffset + 8 * (outStart + wave.start), 8),
      address: memory.totals,
      sizeBytes: 8 * place.count,
    },
    ...judged.copyOut(place, memory.judged, staging),
  ]);
  const jobs = programs.map(
    (program): Job => ({
      buffers,
      modules,
      memoryBytes: memory.sizeBytes,
      program,
    }),
  );
  return runOnThreads(jobs, request.threads === undefined ? {} : { threads: request.threads })
    .threads;
}

function planMemory(): DoubleMemory {
  const plan = new MemoryPlan();
  const places = {
    totals: plan.reserve(3 * runningPartBytes),
    partials: plan.reserve(3 * runningPartBytes),
    slot: plan.reserve(8 * chunk),
    judged: plan.reserve(judgedBitsAt + chunk / 8),
  };
  return { ...places, sizeBytes: plan.sizeBytes };
}

function addSteps(
  { groups }: ResolvedRequest,
  o: {
    readonly sources: readonly StagedSource[];
    readonly memory: DoubleMemory;
    readonly place: ChunkPlace;
  },
): readonly Step[] {
  const { totals, partials, slot } = o.memory;
  const count = roundUp(o.place.count, stepElements);
  const isSingle = groups.length === 1;
  const target = isSingle ? totals : partials;
  return [
    callOf(doubleKernels, "begin", [totals, count]),
    ...groups.flatMap((group) => [
      ...(isSingle ? [] : [callOf(doubleKernels, "begin", [partials, count])]),
      ...group.flatMap((index) => [
        ...stageSteps(o.sources[index] as StagedSource, o.place, {
          dtype: "f64",
          address: slot,
          stored: slot,
        }),
        callOf(doubleKernels, "add", [target, slot, count]),
      ]),
      ...(isSingle ? [] : [callOf(doubleKernels, "merge", [totals, partials, count])]),
    ]),
  ];
}

/** Puts the open elements of a wave in order; returns how many there were. */
function accumulate(
  { out, outStart }: ResolvedRequest,
  {
    wave,
    judged,
    summer,
  }: { readonly wave: Wave; readonly judged: Judged; readonly summer: DoubleSummer },
): number {
  let accumulated = 0;
  const values = new Float64Array(openPiece);
  for (const { first } of judged.openRuns(wave, openPiece, 1)) {
    const start = first * openPiece;
    const count = Math.min(openPiece, wave.count - start);
    const open = judged.openAmong(start, count);
    summer.accumulate({ start: wave.start + start, count }, open, values);
    for (const index of open) {
      encodeInto("f64", values, index, 1, out, outStart + wave.start + start + index);
    }
    accumulated += open.length;
  }
  return accumulated;
}
