import { type Comparable, type EqualityReport, report } from "../equality/index.ts";
import { verifyError } from "../equality/verify-error.ts";
import type {
  ChangedInput,
  DeterminismReport,
  DeterministicOptions,
  DifferentRun,
  RunContext,
} from "./determinism-types.ts";
import { changedPlaces, fingerprintOf, snapshotOf } from "./fingerprint.ts";

const runsMax = 10_000;
const listed = 16;

/**
 * Runs a function several times, one run after the other, and compares what it returns bit for bit
 * with what the first run returned: every replica, too. Results are looked at as soon as a run ends, so
 * that a function that writes into the same storage each time is judged by what it wrote. Errors of the
 * function are thrown on.
 *
 * @param options how, or only the number of runs
 * @throws E_VERIFY for a number of runs that makes no sense; as `equal`
 */
export async function deterministic<T extends Comparable, I extends Comparable = undefined>(
  fn: (inputs: I, context: RunContext) => T | Promise<T>,
  options: number | DeterministicOptions<I, T> = {},
): Promise<DeterminismReport> {
  const settings = typeof options === "number" ? { runs: options } : options;
  const { runs = 3 } = settings;
  if (!Number.isInteger(runs) || runs < 2 || runs > runsMax) {
    throw verifyError(`deterministic: runs is a whole number from 2 to ${runsMax}, not ${runs}`);
  }
  const outcome = new Outcome();
  for (let run = 0; run < runs; run++) await makeRun(fn, { run, settings, outcome });
  return outcome.reportOf(runs);
}

async function makeRun<T extends Comparable, I extends Comparable>(
  fn: (inputs: I, context: RunContext) => T | Promise<T>,
  o: {
    readonly run: number;
    readonly settings: DeterministicOptions<I, T>;
    readonly outcome: Outcome;
  },
): Promise<void> {
  const { run, settings, outcome } = o;
  const { inputs, vary, release } = settings;
  const before = fingerprintOf(inputs);
  const varied = await vary?.({ run });
  let result: T;
  try {
    result = await fn(inputs as I, { run });
  } finally {
    if (varied !== undefined) varied[Symbol.dispose]();
  }
  try {
    outcome.noteInputs(run, changedPlaces(before, fingerprintOf(inputs)));
    outcome.noteResult(run, result);
  } finally {
    release?.(result);
  }
}

/** What the runs so far showed. */
class Outcome {
  readonly #different: DifferentRun[] = [];
  readonly #changed: ChangedInput[] = [];
  #differentRuns = 0;
  #isInputChanged = false;
  #first: { readonly prints: ReadonlyMap<string, string>; readonly value: Comparable } | undefined;

  noteInputs(run: number, paths: readonly string[]): void {
    this.#isInputChanged ||= paths.length > 0;
    const room = listed - this.#changed.length;
    this.#changed.push(...paths.slice(0, room).map((path) => ({ run, path })));
  }

  noteResult(run: number, result: Comparable): void {
    const prints = fingerprintOf(result);
    if (this.#first === undefined) {
      this.#first = { prints, value: snapshotOf(result) };
      return;
    }
    if (changedPlaces(this.#first.prints, prints).length === 0) return;
    this.#differentRuns++;
    if (this.#different.length >= listed) return;
    this.#different.push({ run, report: report(this.#first.value, result) });
  }

  reportOf(runs: number): DeterminismReport {
    const different = this.#different;
    const changedInputs = this.#changed;
    const differentRuns = this.#differentRuns;
    const deterministic = differentRuns === 0 && !this.#isInputChanged;
    const report = { deterministic, runs, different, differentRuns, changedInputs };
    return { ...report, text: textOf(report) };
  }
}

function textOf(o: Omit<DeterminismReport, "text">): string {
  const { runs, different, differentRuns, changedInputs } = o;
  const [first] = different;
  const lines = [
    first === undefined
      ? `${runs} runs gave the same bits`
      : `${differentRuns} of ${runs} runs differ from run 0; the first is run ${first.run}: ${shown(first.report)}`,
  ];
  for (const { run, path } of changedInputs) {
    lines.push(`run ${run} changed its input${path === "" ? "" : ` ${path}`}`);
  }
  return lines.join("\n");
}

/** A run may return the same bits in another layout: that is a difference, too. */
function shown({ equal, text }: EqualityReport): string {
  return equal ? "the same values lie in another way" : text;
}
