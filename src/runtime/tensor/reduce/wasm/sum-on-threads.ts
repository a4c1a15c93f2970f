import { encodeInto } from "../../dtype/index.ts";
import { type Job, runOnThreads, type Step } from "../../kernels/index.ts";
import { certifiedSpread, type NarrowFloat } from "../exact/certificate.ts";
import type { ResolvedRequest } from "../request.ts";
import { Judged } from "./judged.ts";
import { chunkElements } from "./memory.ts";
import type { ThreadedOutcome } from "./outcome.ts";
import { randomKernels } from "./random-kernels.ts";
import { callOf } from "./stage-steps.ts";
import { type Staged, Staging, sharedRaw } from "./staging.ts";
import { sumKernels } from "./sum-kernels.ts";
import { planSumMemory, type SumPlan, sumSteps } from "./sum-steps.ts";
import { superKernels } from "./super-kernels.ts";
import { planSuperMemory, superChunk, superSteps } from "./super-steps.ts";
import { allChunks, type ChunkPlace, chunkPrograms, type Wave, wavesOf } from "./wave.ts";
import { jobsPerWave, waveSize } from "./wave-size.ts";
import { widenKernels } from "./widen-kernels.ts";

type NarrowRequest = ResolvedRequest & { readonly dtype: NarrowFloat };

const superRunMax = 16;
const modules = [sumKernels, randomKernels, widenKernels, superKernels];

/** Exact sums of the formats that fit in a single, by the kernels. */
export function sumOnThreads(request: NarrowRequest): ThreadedOutcome {
  const { dtype, sources, count } = request;
  const staging = new Staging({ dtype, sources });
  const size = waveSize(request, chunkElements);
  const judged = new Judged(Math.min(size, count), chunkElements);
  // What is not stored as singles is handed back as doubles, still to be rounded.
  const doubles =
    dtype === "f32" ? undefined : (sharedRaw("f64", Math.min(size, count)) as Float64Array);
  let threads = 1;
  let accumulated = 0;
  for (const wave of wavesOf(count, size)) {
    const work = new WaveSum(request, { wave, staging, judged, doubles });
    threads = Math.max(threads, work.addUp());
    const open = judged.total(wave);
    if (open > 0) work.accumulate();
    accumulated += open;
    if (doubles !== undefined) {
      encodeInto(dtype, doubles, 0, wave.count, request.out, request.outStart + wave.start);
    }
  }
  return { accumulated, threads };
}

interface WaveParts {
  readonly wave: Wave;
  readonly staging: Staging;
  readonly judged: Judged;
  readonly doubles: Float64Array | undefined;
}

/** One wave of an exact sum. */
class WaveSum {
  readonly #request: NarrowRequest;
  readonly #parts: WaveParts;
  readonly #staged: Staged;
  readonly #plan: Omit<SumPlan, "memory">;

  constructor(request: NarrowRequest, parts: WaveParts) {
    const { dtype, op, sources, groups } = request;
    this.#request = request;
    this.#parts = parts;
    this.#staged = parts.staging.stage(parts.wave);
    const divisor = op === "avg" ? sources.length : 1;
    const spreadMax = certifiedSpread(dtype, sources.length);
    this.#plan = { dtype, sources: this.#staged.sources, groups, divisor, spreadMax };
  }

  /** Adds up, rounds and judges; returns how many threads took part. */
  addUp(): number {
    const { wave, judged } = this.#parts;
    const memory = planSumMemory();
    const plan: SumPlan = { ...this.#plan, memory };
    const runMax = Math.max(1, Math.ceil(wave.count / chunkElements / jobsPerWave));
    const runs = allChunks(wave, chunkElements, runMax);
    const programs = chunkPrograms({ wave, chunk: chunkElements, runs }, (place) => [
      ...sumSteps(plan, place),
      this.#copyOut(place, this.#plan.dtype === "f32" ? memory.rounded : memory.sums),
      ...judged.copyOut(place, memory.judged, this.#parts.staging),
    ]);
    return this.#run(programs, memory.sizeBytes);
  }

  /** Puts the sums that are not certain in order. */
  accumulate(): void {
    const { wave, judged, staging } = this.#parts;
    const memory = planSuperMemory();
    const runs = judged.openRuns(wave, superChunk, superRunMax);
    const scatter = this.#plan.dtype === "f32" ? "scatterF32" : "scatterF64";
    const programs = chunkPrograms({ wave, chunk: superChunk, runs }, (place) => [
      {
        kind: "copyIn",
        buffer: staging.indexOf(judged.bits.buffer),
        start: place.at(0, 1 / 8),
        address: memory.bits,
        sizeBytes: Math.ceil(place.count / 8),
      },
      ...superSteps({ ...this.#plan, memory }, place),
      { ...this.#copyOut(place, memory.results), kind: "copyIn" },
      callOf(superKernels, scatter, [memory.list, memory.values, memory.results]),
      this.#copyOut(place, memory.results),
    ]);
    this.#run(programs, memory.sizeBytes);
  }

  /** Where the results of a chunk go. */
  #copyOut(place: ChunkPlace, address: number): Extract<Step, { kind: "copyIn" | "copyOut" }> {
    const { wave, staging, doubles } = this.#parts;
    const { out, outStart } = this.#request;
    const to = doubles ?? out;
    const bytes = to.BYTES_PER_ELEMENT;
    const start = doubles === undefined ? out.byteOffset + (outStart + wave.start) * bytes : 0;
    return {
      kind: "copyOut",
      buffer: staging.indexOf(to.buffer),
      start: place.at(start, bytes),
      address,
      sizeBytes: place.count * bytes,
    };
  }

  #run(programs: readonly Job["program"][], memoryBytes: number): number {
    const { buffers } = this.#staged;
    const jobs = programs.map((program): Job => ({ buffers, modules, memoryBytes, program }));
    const { threads } = this.#request;
    return runOnThreads(jobs, threads === undefined ? {} : { threads }).threads;
  }
}
