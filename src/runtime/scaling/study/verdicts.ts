import type { Verdict } from "../../../platform/words.ts";
import type { CurvePoint, Interval } from "../fits/index.ts";
import type { ScalingStudy } from "./types.ts";

/** What is asked of a curve. Absent: not asked. */
export interface ScalingRules {
  /** The least efficiency at the largest count, such as 0.85. */
  readonly efficiencyMin?: number;
  /** The most that efficiency may fall with each doubling, such as 0.05. */
  readonly dropMax?: number;
  /** The knee of an earlier report; one that lies more than a fifth lower is a failure. */
  readonly kneeBefore?: number;
}

/** The answer to one rule. */
export interface RuleVerdict {
  readonly rule: string;
  readonly verdict: Verdict;
  readonly reason: string;
}

const kneeShiftMax = 0.2;
/** Two runs of the same thing differ by so much; one run closer to a limit does not decide. */
const oneRunDoubt = 0.1;

/** Judges a study by the rules that were asked for. What cannot be decided is `unknown`. */
export function judgeScaling(study: ScalingStudy, rules: ScalingRules): readonly RuleVerdict[] {
  const { efficiencyMin, dropMax, kneeBefore } = rules;
  return [
    ...(efficiencyMin === undefined ? [] : [efficiencyRule(study, efficiencyMin)]),
    ...(dropMax === undefined ? [] : [dropRule(study, dropMax)]),
    ...(kneeBefore === undefined ? [] : [kneeRule(study, kneeBefore)]),
  ];
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

function efficiencyRule({ curve: { points }, source }: ScalingStudy, wanted: number): RuleVerdict {
  const rule = `efficiency of ${percent(wanted)} or more at the largest count`;
  const last = points.at(-1);
  if (last === undefined || points.length < 2) {
    return { rule, verdict: "unknown", reason: "There is only one count." };
  }
  const { devices, efficiency, efficiencyInterval: interval } = last;
  const seen = `With ${devices} devices it is ${percent(efficiency)}`;
  const near = Math.abs(efficiency / wanted - 1) < oneRunDoubt;
  if (interval === undefined && source === "measured" && near) {
    const reason = `${seen}, from one run: the next may fall on the other side.`;
    return { rule, verdict: "unknown", reason };
  }
  if (interval === undefined) {
    return { rule, verdict: efficiency >= wanted ? "pass" : "fail", reason: `${seen}.` };
  }
  const between = `${seen}, between ${percent(interval.low)} and ${percent(interval.high)}.`;
  if (interval.low >= wanted) return { rule, verdict: "pass", reason: between };
  if (interval.high < wanted) return { rule, verdict: "fail", reason: between };
  const reason = `${between} The runs are too few or too unlike to decide.`;
  return { rule, verdict: "unknown", reason };
}

function dropRule({ curve: { points }, source }: ScalingStudy, allowed: number): RuleVerdict {
  const rule = `efficiency falls by ${percent(allowed)} or less with each doubling`;
  const drops = points.slice(1).map((point, at) => dropBetween(points[at] ?? point, point, source));
  const [first] = drops;
  if (first === undefined) return { rule, verdict: "unknown", reason: "There is only one count." };
  const worst = drops.reduce((a, b) => (b.drop > a.drop ? b : a), first);
  const reason = `At most it falls by ${percent(Math.max(0, worst.drop))}, from ${worst.from} to ${worst.to} devices`;
  if (drops.some(({ least }) => least > allowed))
    return { rule, verdict: "fail", reason: `${reason}.` };
  if (drops.every(({ most }) => most <= allowed))
    return { rule, verdict: "pass", reason: `${reason}.` };
  const open = "the runs are too few or too unlike to decide";
  return { rule, verdict: "unknown", reason: `${reason}: ${open}.` };
}

/** What a doubling costs between two counts, and the least and most it may be. */
function dropBetween(one: CurvePoint, other: CurvePoint, source: ScalingStudy["source"]) {
  const doublings = Math.log2(other.devices / one.devices);
  const dropOf = (before: number, after: number) => 1 - (after / before) ** (1 / doublings);
  const [before, after] = [rangeOf(one, source), rangeOf(other, source)];
  return {
    drop: dropOf(one.efficiency, other.efficiency),
    least: dropOf(before.low, after.high),
    most: dropOf(before.high, after.low),
    from: one.devices,
    to: other.devices,
  };
}

/** Where the efficiency of a count lies. The base is 1 by definition; its doubt is in that of the others. */
function rangeOf(point: CurvePoint, source: ScalingStudy["source"]): Interval {
  const { efficiency, efficiencyInterval, relativeDevices } = point;
  if (efficiencyInterval !== undefined) return efficiencyInterval;
  const doubt = source === "measured" && relativeDevices > 1 ? oneRunDoubt : 0;
  return { low: efficiency * (1 - doubt), high: efficiency * (1 + doubt) };
}

function kneeRule({ fits: { knee }, curve }: ScalingStudy, before: number): RuleVerdict {
  const rule = `the knee is no more than a fifth below ${before} devices`;
  if (knee.status === "inconclusive") {
    return { rule, verdict: "unknown", reason: `There is no knee to compare: ${knee.reason}.` };
  }
  const largest = curve.points.at(-1)?.devices ?? 0;
  const now = knee.byGain?.devices ?? largest;
  const seen =
    knee.byGain === undefined ? `There is none up to ${largest}` : `It lies at ${now} devices`;
  if (knee.byGain === undefined && largest < (1 - kneeShiftMax) * before) {
    return { rule, verdict: "unknown", reason: `${seen}: larger counts were not looked at.` };
  }
  const fell = now < (1 - kneeShiftMax) * before;
  const rose = now > (1 + kneeShiftMax) * before;
  const verdict = fell ? "fail" : rose ? "warn" : "pass";
  return { rule, verdict, reason: `${seen}${rose ? ", above that of before" : ""}.` };
}
