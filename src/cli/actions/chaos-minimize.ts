import { availableParallelism } from "node:os";
import { dirname, resolve } from "node:path";
import type { Minimised } from "../../chaos/minimise/index.ts";
import type { ChaosPlan } from "../../chaos/plan/index.ts";
import { exitCodes } from "../../platform/errors/index.ts";
import { openTrial, openWorkers } from "../chaos/campaign/open-workers.ts";
import { wholeOf, workersOf } from "../chaos/campaign/request.ts";
import type { Action, Invocation } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";
import { usageError } from "../usage-error.ts";

const command = "chaos minimize";
const runsDefault = 80;
const runsMin = 3;
const runsMax = 100_000;
const sizeBytesMax = 256 * 2 ** 20;

/** `tessera chaos minimize` */
export const run: Action = async (invocation) => {
  const { args, globals, io, options, signal } = invocation;
  const file = args[0] ?? "";
  const runs = runsOf(options["runs"]);
  const given = options["workers"];
  const workerText = typeof given === "string" ? given : undefined;
  const count = workersOf(workerText, availableParallelism(), command);
  const plan = await planOf(invocation, file);
  const workers = await openWorkers(count, await openTrial(), signal);
  try {
    const [{ admitsFor, failsWith, reproducerText }, { minimise }] = await Promise.all([
      import("../../chaos/campaign/index.ts"),
      import("../../chaos/minimise/index.ts"),
    ]);
    const result = await minimise(plan, failsWith(workers), {
      runsMax: runs,
      parallel: count,
      admits: admitsFor(plan),
      signal,
    });
    signal.throwIfAborted();
    const text =
      result.outcome === "minimised" ? reproducerText(result, result.signature ?? "") : null;
    const out = options["out"];
    const saved = text !== null && typeof out === "string" ? resolve(io.cwd, out) : null;
    if (saved !== null && text !== null) {
      const { writeFileAtomic } = await import("../../platform/files/index.ts");
      await writeFileAtomic(saved, text);
    }
    if (globals.json) writeJson(io.stdout, { file, saved, from: plan.faults.length, ...result });
    else show(invocation, { plan, result, saved, text });
    return result.outcome === "minimised" ? exitCodes.good : exitCodes.undecided;
  } finally {
    await Promise.all(workers.map((worker) => worker.close()));
  }
};

function runsOf(given: unknown): number {
  if (typeof given !== "string") return runsDefault;
  const runs = wholeOf(given);
  if (runs !== undefined && runs >= runsMin && runs <= runsMax) return runs;
  throw usageError(
    command,
    `--runs is ${JSON.stringify(given)}, not a whole number from ${runsMin} to ${runsMax}.`,
  );
}

/** A journal has its plan; an experiment is resolved with the seed. */
async function planOf({ globals, io }: Invocation, file: string): Promise<ChaosPlan> {
  const path = resolve(io.cwd, file);
  const { readTextFile } = await import("../../platform/files/index.ts");
  const text = await readTextFile(path, { sizeBytesMax });
  if (text.startsWith('{"journal":')) {
    const { parseJournal } = await import("../../chaos/journal/index.ts");
    return parseJournal(text, file).plan;
  }
  const { parseExperiment, resolveExperiment } = await import("../../chaos/experiment/index.ts");
  const experiment = parseExperiment(text, file);
  return resolveExperiment(experiment, { seed: globals.seed, folder: dirname(path) });
}

/** What was found goes to stderr where the experiment itself goes to stdout. */
function show(
  { io, globals }: Invocation,
  about: {
    readonly plan: ChaosPlan;
    readonly result: Minimised;
    readonly saved: string | null;
    readonly text: string | null;
  },
): void {
  const { plan, result, saved, text } = about;
  const stream = saved === null ? io.stderr : io.stdout;
  if (!globals.quiet) for (const line of linesOf(plan, result)) writeLine(stream, line);
  if (saved !== null) writeLine(io.stdout, saved);
  else if (text !== null) io.stdout.write(text);
}

function linesOf(plan: ChaosPlan, result: Minimised): readonly string[] {
  const { outcome, signature, runs, isMinimal, history } = result;
  if (outcome === "passes")
    return [`${plan.title} does not fail: there is nothing to make smaller.`];
  if (outcome === "flaky") {
    return [`${plan.title} failed once and not, or otherwise, again: nothing is proven.`];
  }
  const accepted = history.filter(({ accepted: taken, phase }) => taken && phase !== "check");
  return [
    `${plan.faults.length} ${plan.faults.length === 1 ? "fault" : "faults"} became ${result.plan.faults.length} in ${runs} runs (simulated).`,
    `Fails with: ${signature ?? ""}`,
    ...accepted.slice(-20).map(({ run: number, change }) => `  run ${number}: ${change}`),
    isMinimal
      ? "Without any one of these faults it does not fail this way."
      : "The runs were used up before it was clear that every fault is needed: give more --runs.",
  ];
}
