import type { ExperimentOutcome } from "../../platform/words.ts";
import { provenRate } from "../judge/stats/index.ts";
import type { Defect } from "../plan/index.ts";
import type { CampaignPart, CampaignRun } from "./campaign-part.ts";
import { type Coverage, coverageOf } from "./coverage.ts";
import type { Reproducer } from "./reproducers.ts";
import { type SwarmKind, swarmKinds } from "./swarm/index.ts";
import { verdictOf } from "./verdict.ts";

/** What a campaign found. Nothing in it depends on the machine, so that campaigns can be compared. */
export interface CampaignResult {
  readonly format: "tessera-chaos-campaign/1";
  readonly version: string;
  readonly seed: string;
  readonly outcome: ExperimentOutcome;
  readonly reason: string;
  readonly runs: number;
  /** The first index and one after the last; runs in between may be missing where a part is. */
  readonly range: readonly [from: number, to: number];
  readonly counts: Readonly<Record<SwarmKind, Readonly<Record<ExperimentOutcome, number>>>>;
  readonly simulatedSeconds: number;
  readonly streak: Streak;
  readonly signatures: readonly SignatureFinding[];
  readonly canaries: readonly CanaryFinding[];
  readonly determinism: {
    readonly checked: number;
    /** Indexes of runs that came out otherwise the second time. */
    readonly differed: readonly number[];
  };
  readonly coverage: Coverage;
}

/** Runs inside the claim that recovered one after the other; undecided ones neither count nor break it. */
export interface Streak {
  readonly longest: number;
  /** Up to the last run. */
  readonly current: number;
  readonly confidence: number;
  /** At this confidence, so large a share of such runs recovers; from the current streak. */
  readonly provenRate: number;
}

export interface SignatureFinding {
  readonly signature: string;
  readonly count: number;
  readonly kind: SwarmKind;
  /** The first run with it; `swarmPlan(seed, index)` makes its plan again. */
  readonly firstIndex: number;
  readonly reason: string;
  readonly reproducer: Reproducer | null;
}

export interface CanaryFinding {
  readonly defect: Defect;
  readonly found: boolean;
  readonly attempts: number;
  readonly signature: string | null;
  readonly reason: string | null;
  readonly reproducer: Reproducer | null;
}

export interface Reproducers {
  readonly signatures: ReadonlyMap<string, Reproducer>;
  readonly canaries: ReadonlyMap<Defect, Reproducer>;
}

const confidence = 0.95;

/** What the runs say together. */
export function campaignResult(
  { version, seed, runs, canaries }: CampaignPart,
  reproducers: Reproducers = { signatures: new Map(), canaries: new Map() },
): CampaignResult {
  const twice = runs.filter(({ isRepeatable }) => isRepeatable !== null);
  const without = {
    format: "tessera-chaos-campaign/1",
    version,
    seed,
    runs: runs.length,
    range: [runs[0]?.index ?? 0, (runs.at(-1)?.index ?? -1) + 1],
    counts: countsOf(runs),
    simulatedSeconds: runs.reduce((sum, { seconds }) => sum + seconds, 0),
    streak: streakOf(runs),
    signatures: signaturesOf(runs).map((one) => ({
      ...one,
      reproducer: reproducers.signatures.get(one.signature) ?? null,
    })),
    canaries: canaries.map(({ defect, attempts, found }) => ({
      defect,
      found: found !== null,
      attempts,
      signature: found?.signature ?? null,
      reason: found?.reason ?? null,
      reproducer: reproducers.canaries.get(defect) ?? null,
    })),
    determinism: {
      checked: twice.length,
      differed: twice.filter((run) => run.isRepeatable === false).map(({ index }) => index),
    },
    coverage: coverageOf(runs),
  } as const;
  return { ...without, ...verdictOf(without) };
}

/** Distinct ways to fail, in the order in which they were first met. */
export function signaturesOf(
  runs: readonly CampaignRun[],
): readonly Omit<SignatureFinding, "reproducer">[] {
  const found = new Map<string, Omit<SignatureFinding, "reproducer">>();
  for (const { outcome, signature, index, kind, reason } of runs) {
    if (outcome !== "fail") continue;
    const key = signature ?? "no signature";
    const before = found.get(key);
    const first = before ?? { signature: key, count: 0, kind, firstIndex: index, reason };
    found.set(key, { ...first, count: first.count + 1 });
  }
  return [...found.values()];
}

function countsOf(runs: readonly CampaignRun[]): CampaignResult["counts"] {
  const of = (kind: SwarmKind, outcome: ExperimentOutcome): number =>
    runs.filter((run) => run.kind === kind && run.outcome === outcome).length;
  return Object.fromEntries(
    swarmKinds.map((kind) => [
      kind,
      {
        pass: of(kind, "pass"),
        fail: of(kind, "fail"),
        inconclusive: of(kind, "inconclusive"),
      },
    ]),
  ) as CampaignResult["counts"];
}

function streakOf(runs: readonly CampaignRun[]): Streak {
  let [longest, current] = [0, 0];
  for (const { kind, outcome } of runs) {
    if (kind !== "inside" || outcome === "inconclusive") continue;
    current = outcome === "pass" ? current + 1 : 0;
    longest = Math.max(longest, current);
  }
  return { longest, current, confidence, provenRate: provenRate(current, confidence) };
}
