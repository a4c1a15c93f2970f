import { loadavg } from "node:os";
import { z } from "zod";
import { sleep } from "../../../platform/time/index.ts";
import { formatBytes } from "../../../platform/units/index.ts";
import { defaultEngine } from "../../../runtime/tensor/kernels/index.ts";
import { version } from "../../../version.ts";
import {
  type Check,
  type CheckContext,
  type CheckOutput,
  type CheckProfile,
  defineCheck,
} from "../check.ts";
import { type GoldenAnswers, goldenAnswers } from "./golden.ts";
import {
  copiedBytes,
  createWorkload,
  productCount,
  productFlops,
  type Workload,
  workingBytes,
} from "./workload.ts";

const durationMsOf: Readonly<Record<CheckProfile, number>> = {
  quick: 2_000,
  standard: 10_000,
  soak: 600_000,
};
/** Rounds whose answers count and whose times do not: threads start, code is compiled, pages come. */
const warmUpRounds = productCount;
const roundsMin = 5;
const roundsMax = 20_000;
const logEveryRounds = 25;
const threadsMax = 32;
/** Wrong answers told one by one; the facts have their number. */
const wrongToldMax = 10;

const optionsSchema = z.strictObject({
  durationMs: z
    .number()
    .int()
    .min(1)
    .max(86_400_000)
    .optional()
    .describe("How long to compute. Default 2 s quick, 10 s standard, 10 min soak."),
});

type Context = CheckContext<z.output<typeof optionsSchema>>;

/** Round by round, what was measured and what was wrong. */
interface Tally {
  readonly gflops: number[];
  readonly memoryGbps: number[];
  wrong: number;
  rounds: number;
}

/**
 * The machine's own processors compute products and exact sums whose bits are known: a processor or
 * a memory that makes mistakes gives a wrong answer, one that is slow gives low figures.
 */
export function createHostCompute(golden: GoldenAnswers = goldenAnswers): Check {
  return defineCheck({
    name: "host-compute",
    title: "Computing with known answers on the host's processors",
    minutes: 0.25,
    sensitivity: { "host-cpu": 0.8, "host-memory": 0.3 },
    falseAlarm: 0.001,
    figures: { gflops: "GFLOP/s", memory_gbps: "GB/s" },
    options: optionsSchema,
    requirements: ({ memoryBytes }) =>
      memoryBytes >= 2 * workingBytes
        ? { met: true }
        : { met: false, reason: `it needs ${formatBytes(2 * workingBytes)} of memory` },
    run: (context) => computeKnown(context, golden),
  });
}

async function computeKnown(context: Context, golden: GoldenAnswers): Promise<CheckOutput> {
  const { clock, signal, log, profile, options, host } = context;
  const durationMs = options.durationMs ?? durationMsOf[profile];
  const threads = Math.min(host.cpus, threadsMax);
  const workload = createWorkload({ threads });
  const tally: Tally = { gflops: [], memoryGbps: [], wrong: 0, rounds: 0 };
  const startedMs = clock.monotonicMs();
  log(`computing for ${durationMs} ms on ${threads} threads`);
  while (tally.rounds < roundsMax) {
    // Also lets timers and signals be heard between two rounds, which are synchronous.
    await sleep(clock, 0, signal);
    playRound(workload, { context, golden, tally });
    const elapsedMs = clock.monotonicMs() - startedMs;
    if (elapsedMs >= durationMs && tally.rounds >= warmUpRounds + roundsMin) break;
  }
  if (workload.copied() !== golden.copy) note({ tally, context }, "the copied memory");
  return {
    figures: {
      gflops: { samples: tally.gflops, higherIsBetter: true, unit: "GFLOP/s" },
      memory_gbps: { samples: tally.memoryGbps, higherIsBetter: true, unit: "GB/s" },
    },
    hardFacts: [],
    facts: {
      version,
      node: process.version,
      arch: host.arch,
      cpuModel: host.cpuModel,
      threads,
      engine: defaultEngine(),
      rounds: tally.rounds,
      wrongAnswers: tally.wrong,
      // Others that compute at the same time explain low figures.
      loadAverage: loadavg()[0] ?? 0,
      durationMs: Math.round(clock.monotonicMs() - startedMs),
    },
    // Another engine or number of threads is another measurement.
    cohort: `${host.cpuModel || host.arch}, ${threads} threads, ${defaultEngine()}, Node ${process.version.split(".", 1)[0]}`,
  };
}

function playRound(
  workload: Workload,
  o: { readonly context: Context; readonly golden: GoldenAnswers; readonly tally: Tally },
): void {
  const { tally, golden, context } = o;
  const which = tally.rounds % productCount;
  const productMs = timed(context, () => workload.multiply(which));
  const copyMs = timed(context, () => workload.copy());
  const { product, sums } = workload.answer();
  tally.rounds++;
  if (product !== golden.products[which]) note(o, `matrix product ${which}`);
  else if (sums !== golden.sums[which]) note(o, `the exact sums of product ${which}`);
  if (tally.rounds <= warmUpRounds) return;
  tally.gflops.push(productFlops / productMs / 1e6);
  tally.memoryGbps.push(copiedBytes / copyMs / 1e6);
  if (tally.rounds % logEveryRounds === 0) {
    const last = tally.gflops.at(-1)?.toFixed(1);
    context.log(`round ${tally.rounds}: ${last} GFLOP/s, ${tally.wrong} wrong answers`);
  }
}

function note(
  { tally, context }: { readonly tally: Tally; readonly context: Context },
  what: string,
): void {
  tally.wrong++;
  if (tally.wrong > wrongToldMax) return;
  const text = `wrong answer: ${what} of round ${tally.rounds} has other bits than it must have`;
  context.log(text);
  context.noteHardFact(text);
}

function timed({ clock }: Context, work: () => void): number {
  const startedMs = clock.monotonicMs();
  work();
  return clock.monotonicMs() - startedMs;
}
