import assert from "node:assert/strict";
import type { Mesh } from "../../dist/index.ts";
import type { StepReport } from "../options.ts";
import type { SampleId } from "../task/index.ts";
import type { TrainingJob } from "../training-job.ts";
import { compareStates } from "./compare-states.ts";
import type { RestartDifference, RestartOptions, RestartReport, RestartRun } from "./types.ts";

const stepsMax = 1_000_000;

/**
 * Trains `at` steps, saves, throws the job away, restores into a fresh one and trains `more` steps,
 * beside a run that nothing interrupts. After the restore and after every step all is compared bit
 * by bit: parameters of every rank, moments, random numbers, data cursor, losses and samples.
 *
 * @throws (rejects) what the jobs, `save`, `load` and `crash` throw; E_SHAPE for a loaded state that
 *   has not all that the job needs, naming what is missing.
 */
export async function validateRestart(options: RestartOptions): Promise<RestartReport> {
  const { at, more } = options;
  for (const steps of [at, more]) {
    assert(Number.isInteger(steps) && steps >= 0 && steps <= stepsMax, "a number of steps");
  }
  const whole = options.job("uninterrupted");
  const cut = options.job("interrupted");
  const comparison = new Comparison(whole);
  await comparison.train(cut, "interrupted", at);
  await options.save(cut.state());
  await options.crash?.(cut);
  const resumed = options.job("resumed");
  resumed.restore(await options.load());
  comparison.compare(resumed, "resumed");
  await comparison.train(resumed, "resumed", more);
  return comparison.report(resumed.mesh, at);
}

/** An uninterrupted run, and how far others kept step with it. */
class Comparison {
  readonly #whole: TrainingJob;
  #first: RestartDifference | undefined;
  #steps = 0;
  #tensors = 0;
  #sameSamples = true;

  constructor(whole: TrainingJob) {
    this.#whole = whole;
  }

  async train(job: TrainingJob, run: Run, steps: number): Promise<void> {
    for (let done = 0; done < steps; done++) {
      const expected = await this.#whole.step();
      const found = await job.step();
      this.#sameSamples &&= compareSamples(expected, found) === undefined;
      this.#first ??= compareReports(run, expected, found);
      this.compare(job, run);
      this.#steps++;
    }
  }

  /** Once the runs differ, what follows from that says nothing more. */
  compare(job: TrainingJob, run: Run): void {
    if (this.#first !== undefined) return;
    const { first, tensors } = compareStates(this.#whole.state(), job.state());
    this.#tensors += tensors;
    if (first !== undefined) this.#first = { run, step: this.#whole.stepsDone, ...first };
  }

  /** `at` is the step at which the state was saved. */
  report(mesh: Mesh, at: number): RestartReport {
    const bitwise = sameShape(this.#whole.mesh, mesh);
    const first = this.#first;
    const sameSamples = this.#sameSamples;
    // Restoring moves bits and changes none: only steps on another mesh may.
    const isExcused =
      !bitwise &&
      sameSamples &&
      first !== undefined &&
      first.step > at &&
      !isExactEverywhere(first.name);
    const differs = isExcused ? "not-bitwise" : "different";
    return {
      verdict: first === undefined ? "equal" : differs,
      bitwise,
      ...(first === undefined ? {} : { first }),
      sameSamples,
      stepsCompared: this.#steps,
      tensorsCompared: this.#tensors,
      notes: notesOf(this.#whole.mesh, mesh),
    };
  }
}

type Run = Exclude<RestartRun, "uninterrupted">;

function compareReports(
  run: Run,
  expected: StepReport,
  found: StepReport,
): RestartDifference | undefined {
  const { step } = expected;
  const samples = compareSamples(expected, found);
  if (samples !== undefined) return { run, step, name: "samples", ...samples };
  for (const name of ["loss", "gradientNorm"] as const) {
    if (Object.is(expected[name], found[name])) continue;
    return { run, step, name, expected: `${expected[name]}`, found: `${found[name]}` };
  }
  return undefined;
}

/** The first sample of a step that the other run did not use at this place. */
function compareSamples(expected: StepReport, found: StepReport) {
  const [own, theirs] = [expected.samples.map(nameOf), found.samples.map(nameOf)];
  const longer = own.length < theirs.length ? theirs : own;
  const element = longer.findIndex((_, at) => own[at] !== theirs[at]);
  if (element < 0) return undefined;
  return { element, expected: own[element] ?? "nothing", found: theirs[element] ?? "nothing" };
}

/** What no mesh changes: counts, cursors and the order of the data. */
function isExactEverywhere(name: string): boolean {
  return /^(step|samples|rng\/|data\/|hyper\/|optimizer\/step$)/.test(name);
}

function nameOf({ epoch, index }: SampleId): string {
  return `epoch ${epoch}, sample ${index}`;
}

function sameShape(one: Mesh, other: Mesh): boolean {
  const axes = ({ axes: names, shape }: Mesh) =>
    names.flatMap((name, at) => (shape[at] === 1 ? [] : [`${name} ${shape[at]}`])).toSorted();
  return JSON.stringify(axes(one)) === JSON.stringify(axes(other));
}

function notesOf(before: Mesh, after: Mesh): readonly string[] {
  if (sameShape(before, after)) return [];
  const change =
    before.size === after.size
      ? "The mesh changed"
      : `The world size changed from ${before.size} to ${after.size}`;
  return [
    `${change}: from a ${before.describe()} to a ${after.describe()}. Bits are then promised only where sums are exact.`,
  ];
}
