import assert from "node:assert/strict";
import { type Profile, shiftOf } from "./profile.ts";
import { createRunningMaxima, learnLinesUsual, type RunningMaxima } from "./running-maxima.ts";

/** What a check says. An error that cannot be told from rounding is `inconclusive`, never `clean`. */
export type CheckVerdict = "clean" | "corrupt" | "inconclusive";

/**
 * - `learning`: too few checks to know what rounding leaves;
 * - `ready`: errors above `kappa` are corruption;
 * - `shifted`: the numbers are of another kind than those it learnt from, so it learns anew.
 */
export type CalibrationState = "learning" | "ready" | "shifted";

export interface CalibrationOptions {
  /** Checks before it answers. @default 8 */
  readonly learnChecks?: number;
  /**
   * Sums (rows, columns, blocks) in these checks before it answers: twice the largest of a few is
   * soon exceeded, twice that of 1024 normal ones by one in 10^9. @default 1024
   */
  readonly learnLines?: number;
  /** The threshold is so many times the largest error of clean data. @default 2 */
  readonly margin?: number;
  /** Of the largest errors of recent checks, which counts as the largest of clean data. @default 1, the maximum */
  readonly quantile?: number;
  /** Checks that count as recent; more where these have fewer sums than it learns from. @default 64 */
  readonly window?: number;
  /** After so many checks half of what a spike raised the threshold by is gone. @default 256 */
  readonly halfLifeChecks?: number;
  /** A threshold that grows beyond so many times what was learnt is a shift. @default 8 */
  readonly growthMax?: number;
}

/** One check as the calibration sees it. */
export interface CalibrationReading {
  /** The largest error, in units of the operator's own scale. */
  readonly ratio: number;
  /** No rounding whatsoever exceeds this; beyond it something is wrong without calibration. */
  readonly worst: number;
  /** Of the numbers that went in. */
  readonly profiles: readonly Profile[];
  /** Sums that were compared, of which `ratio` is the largest error; where there are none, nothing is learnt. */
  readonly lines: number;
  /** The largest share that one number has of a scale: its rounding counts alone, however many others there are. */
  readonly peak?: number;
}

export interface CalibrationAnswer {
  readonly verdict: CheckVerdict;
  /** The threshold that was applied, in units of the scale; undefined where there is none yet. */
  readonly kappa: number | undefined;
  readonly reason: string;
}

/** The threshold of one operator on one kind of numbers; see `createCalibration`. */
export interface Calibration {
  readonly state: CalibrationState;
  readonly kappa: number | undefined;
  /** Checks it has learnt from since it last started anew. */
  readonly checks: number;
  /** Judges a check, and learns from it where it is clean. */
  judge(reading: CalibrationReading): CalibrationAnswer;
  /** A verifier found that what was called corrupt was right: the threshold rises, and sinks again later. */
  accept(ratio: number): void;
}

/** Errors so many times the median of those learnt from are spikes, and nothing is learnt from them. */
const spikeFactor = 16;
/** A share so many times those learnt from is of another kind of numbers. */
const peakFactor = 2;

/**
 * A threshold for an operator's rounding error, learnt from its own traffic: a bound that fits all
 * kinds of numbers would be hundreds of times too wide for most. While it learns, and when the kind
 * of numbers changes, it answers `inconclusive`, or `corrupt` beyond what any rounding could leave.
 */
export function createCalibration(options: CalibrationOptions = {}): Calibration {
  const { learnChecks = 8, learnLines = learnLinesUsual, margin = 2, growthMax = 8 } = options;
  const limits = { learnChecks, learnLines, margin, growthMax, options };
  assert(
    [learnChecks, learnLines, margin, growthMax].every((limit) => limit >= 1),
    "limits from 1 up",
  );
  assert((options.window ?? 64) >= learnChecks, "the window holds what is learnt from");
  return new LearntThreshold(limits);
}

interface Limits {
  readonly learnChecks: number;
  readonly learnLines: number;
  readonly margin: number;
  readonly growthMax: number;
  readonly options: CalibrationOptions;
}

class LearntThreshold implements Calibration {
  readonly #limits: Limits;
  #maxima: RunningMaxima;
  #profiles: readonly Profile[] | undefined;
  #learnt: number | undefined;
  #state: CalibrationState = "learning";
  #checks = 0;
  #peak = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#maxima = createRunningMaxima(limits.options);
  }

  get state(): CalibrationState {
    return this.#state;
  }

  get checks(): number {
    return this.#checks;
  }

  get kappa(): number | undefined {
    return this.#learnt === undefined ? undefined : this.#limits.margin * this.#maxima.level();
  }

  judge(reading: CalibrationReading): CalibrationAnswer {
    const { ratio, worst, profiles, lines, peak = 0 } = reading;
    const shift = this.#shiftOf(profiles);
    if (shift !== undefined) this.#startAnew("shifted", profiles);
    const { kappa } = this;
    if (lines === 0) return unsure("there is no sum that could be compared");
    // Written so that NaN is corrupt.
    if (!(ratio <= worst)) {
      const reason = "the error is larger than any rounding could leave";
      return { verdict: "corrupt", kappa, reason };
    }
    if (kappa === undefined) return this.#learn(reading, shift);
    if (kappa === 0 && ratio > 0) {
      this.#startAnew("shifted", profiles);
      return this.#learn(reading, "sums that were exact are rounded now");
    }
    if (ratio > kappa) {
      if (peak <= peakFactor * this.#peak) {
        return { verdict: "corrupt", kappa, reason: aboveOf(ratio, kappa) };
      }
      return unsure("one number is far above the others, as in none of those it learnt from");
    }
    this.#note(reading);
    const grown = this.kappa ?? 0;
    if (grown > this.#limits.growthMax * (this.#learnt ?? grown)) {
      this.#startAnew("shifted", profiles);
      return unsure("errors have grown step by step to many times what was learnt");
    }
    return { verdict: "clean", kappa, reason: "no error above the threshold" };
  }

  accept(ratio: number): void {
    assert(Number.isFinite(ratio) && ratio >= 0, "an error that was accepted is a number");
    this.#maxima.add({ ratio, lines: 1 });
    // What was verified is no growth that nobody has looked at.
    if (this.#learnt !== undefined) this.#learnt = Math.max(this.#learnt, this.kappa ?? 0);
  }

  #shiftOf(profiles: readonly Profile[]): string | undefined {
    const known = this.#profiles;
    if (known === undefined) return undefined;
    assert(known.length === profiles.length, "an operator always has the same operands");
    for (const [at, profile] of profiles.entries()) {
      const moved = shiftOf(profile, known[at] as Profile);
      if (moved !== undefined) return `of operand ${at + 1}, ${moved}`;
    }
    return undefined;
  }

  #note({ ratio, lines, peak = 0 }: CalibrationReading): void {
    this.#maxima.add({ ratio, lines });
    this.#peak = Math.max(this.#peak, peak);
    this.#checks++;
  }

  #learn(reading: CalibrationReading, shift: string | undefined): CalibrationAnswer {
    this.#profiles ??= reading.profiles;
    this.#note(reading);
    const { learnChecks, learnLines, margin } = this.#limits;
    const { checks, lines } = this.#maxima;
    const reason =
      this.#state === "shifted"
        ? `it learns anew${shift === undefined ? "" : `: ${shift}`}`
        : `it has learnt from ${checks} of ${learnChecks} checks and ${lines} of ${learnLines} sums`;
    if (checks >= learnChecks && lines >= learnLines) {
      this.#maxima.dropSpikes(spikeFactor);
      if (this.#maxima.checks >= learnChecks && this.#maxima.lines >= learnLines) {
        this.#learnt = margin * this.#maxima.level();
        this.#state = "ready";
      }
    }
    return unsure(reason);
  }

  #startAnew(state: CalibrationState, profiles: readonly Profile[]): void {
    this.#state = state;
    this.#checks = 0;
    this.#peak = 0;
    this.#learnt = undefined;
    this.#profiles = profiles;
    this.#maxima = createRunningMaxima(this.#limits.options);
  }
}

function unsure(reason: string): CalibrationAnswer {
  return { verdict: "inconclusive", kappa: undefined, reason };
}

function aboveOf(ratio: number, kappa: number): string {
  return `the error is ${(ratio / kappa).toPrecision(3)} times the threshold`;
}
