import type { ExperimentOutcome } from "../../../platform/words.ts";
import { type PhaseName, type PhaseTimes, phaseNames } from "./phases.ts";
import type { ServiceShares } from "./shares.ts";
import { type ShareInterval, wilsonInterval } from "./wilson.ts";

/** What a recovery has to keep to. */
export interface RecoveryBounds {
  /** Of the requests after the recovery, the share that must succeed, by the lower end of its interval. @default 0.9 */
  readonly successAfterMin?: number;
  /** How long after the fault each phase may be over, in milliseconds; absent: no limit, but it must happen. */
  readonly phaseLimitsMs?: Partial<Readonly<Record<PhaseName, number>>>;
  /** The longest time without a single success. */
  readonly gapMsMax?: number;
  /** Phases that must happen; none for a fault that nobody should react to. @default all */
  readonly phases?: readonly PhaseName[];
}

/** What is known of a recovery. */
export interface RecoveryFacts {
  readonly times: PhaseTimes;
  /** Null where nobody asked. */
  readonly shares: ServiceShares | null;
  /** What was still not as before when the test had ended, in words. */
  readonly leftovers: readonly string[];
  /** Why the test could not be carried on; absent when it could. */
  readonly problem?: string;
}

/** One thing that had to hold. */
export interface RecoveryFinding {
  readonly property: string;
  readonly outcome: ExperimentOutcome;
  readonly reason: string;
}

export interface RecoveryJudgement {
  readonly outcome: ExperimentOutcome;
  readonly reason: string;
  readonly findings: readonly RecoveryFinding[];
}

/** Fewer requests than this prove nothing about a service, however they end. */
const trialsMin = 20;

/** Judges a recovery. A proven failure outweighs what could not be decided. */
export function judgeRecovery(
  facts: RecoveryFacts,
  bounds: RecoveryBounds = {},
): RecoveryJudgement {
  const findings = [
    ...problemFindings(facts),
    ...phaseFindings(facts.times, bounds),
    ...serviceFindings(facts.shares, bounds),
    restoredFinding(facts.leftovers),
  ];
  const worst =
    findings.find(({ outcome }) => outcome === "fail") ??
    findings.find(({ outcome }) => outcome === "inconclusive");
  if (worst === undefined) {
    return { outcome: "pass", reason: "it recovered, and everything is as before", findings };
  }
  return { outcome: worst.outcome, reason: `${worst.property}: ${worst.reason}`, findings };
}

function problemFindings({ problem }: RecoveryFacts): readonly RecoveryFinding[] {
  if (problem === undefined) return [];
  return [{ property: "carried out", outcome: "inconclusive", reason: problem }];
}

function phaseFindings(times: PhaseTimes, bounds: RecoveryBounds): readonly RecoveryFinding[] {
  const { phases = phaseNames, phaseLimitsMs = {} } = bounds;
  const expected = phaseNames.filter((name) => phases.includes(name));
  const unexpected = phaseNames.filter(
    (name) => !phases.includes(name) && name === "cordon" && times[name] !== null,
  );
  return [
    ...expected.map((name) => phaseFinding(name, times[name], phaseLimitsMs[name])),
    ...unexpected.map((name) => ({
      property: name,
      outcome: "fail" as const,
      reason: "the node was cordoned, and should not have been",
    })),
  ];
}

function phaseFinding(
  name: PhaseName,
  tookMs: number | null,
  limitMs: number | undefined,
): RecoveryFinding {
  const property = name;
  if (tookMs === null) return { property, outcome: "fail", reason: "it was never seen" };
  const took = `done ${seconds(tookMs)} after the fault`;
  if (limitMs === undefined) return { property, outcome: "pass", reason: took };
  const isIn = tookMs <= limitMs;
  return {
    property,
    outcome: isIn ? "pass" : "fail",
    reason: `${took}, allowed are ${seconds(limitMs)}`,
  };
}

function serviceFindings(
  shares: ServiceShares | null,
  bounds: RecoveryBounds,
): readonly RecoveryFinding[] {
  if (shares === null) return [];
  const { successAfterMin = 0.9, gapMsMax } = bounds;
  const finding = (window: "before" | "after") =>
    shareFinding(`service ${window}`, shares[window], {
      unknown: shares.unknown[window],
      min: successAfterMin,
    });
  const before = finding("before");
  const findings: RecoveryFinding[] = [
    // What did not serve before cannot be shown to recover.
    before.outcome === "fail" ? { ...before, outcome: "inconclusive" } : before,
    finding("after"),
  ];
  if (gapMsMax !== undefined) findings.push(gapFinding(shares, gapMsMax));
  return findings;
}

function gapFinding(shares: ServiceShares, maxMs: number): RecoveryFinding {
  const { longestGapMs, longestGapMsMost } = shares;
  const property = "time without service";
  const allowed = `allowed are ${seconds(maxMs)}`;
  const reason = `${seconds(longestGapMs)} without a success, ${allowed}`;
  if (longestGapMs > maxMs) return { property, outcome: "fail", reason };
  if (longestGapMsMost <= maxMs) return { property, outcome: "pass", reason };
  const most = `it may be ${seconds(longestGapMsMost)}, as some requests could not be asked`;
  return { property, outcome: "inconclusive", reason: `${reason}; ${most}` };
}

/** What could not be asked counts against either verdict: it must hold however those had ended. */
function shareFinding(
  property: string,
  interval: ShareInterval,
  about: { readonly unknown: number; readonly min: number },
): RecoveryFinding {
  const { successes, trials } = interval;
  const { unknown, min } = about;
  const { low } = wilsonInterval(successes, trials + unknown);
  const { high } = wilsonInterval(successes + unknown, trials + unknown);
  const text = shareText(interval, unknown);
  const wanted = `${percent(min)} must succeed`;
  if (trials < trialsMin) {
    const reason = `${text}; that is too few, at least ${trialsMin} are needed`;
    return { property, outcome: "inconclusive", reason };
  }
  if (low >= min) return { property, outcome: "pass", reason: `${text}; ${wanted}` };
  const outcome = high < min ? "fail" : "inconclusive";
  return { property, outcome, reason: `${text}; ${wanted}, and the interval does not show it` };
}

function restoredFinding(leftovers: readonly string[]): RecoveryFinding {
  const property = "restored";
  if (leftovers.length === 0) {
    return { property, outcome: "pass", reason: "everything was taken back" };
  }
  return { property, outcome: "fail", reason: leftovers.join("; ") };
}

/** `12 of 14 requests, 85.7 % (60.1 to 96.0 %); 3 more could not be asked`. */
export function shareText(interval: ShareInterval, unknown: number): string {
  const { successes, trials, share, low, high } = interval;
  const more = unknown === 0 ? "" : `; ${unknown} more could not be asked`;
  if (share === null) return `no requests${more}`;
  const range = `${(low * 100).toFixed(1)} to ${percent(high)}`;
  return `${successes} of ${trials} requests, ${percent(share)} (${range})${more}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** `4.1 s`. */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
