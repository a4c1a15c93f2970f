import { createHash } from "node:crypto";
import { z } from "zod";
import type { Baseline, BaselineRecord } from "../history/history.ts";
import { type Golden, goldenKeyText } from "./golden.ts";
import type { LearnedGolden } from "./learn.ts";

/** Goldens lie among the baselines, in cohorts that no run has. */
const cohortPrefix = "goldens of ";
const yearMs = 365 * 86_400_000;
/** Bits do not go stale as speeds do; new software has another key. */
const yearsKept = 10;

const provenanceSchema = z.object({
  cluster: z.string(),
  softwareKey: z.string(),
  goldens: z.record(z.string(), z.string()),
});

/** What was learned, as a baseline without figures. The same runs give the same one. */
export function goldenBaseline(
  learned: LearnedGolden,
  given: { readonly sku: string; readonly nowMs: number; readonly code: string },
): Baseline {
  const { cluster, check, softwareKey, digests, votes, runIds } = learned;
  const text = JSON.stringify([goldenKeyText(learned), Object.entries(digests).toSorted(byName)]);
  const runsDigest = createHash("sha256").update(runIds.join("\n")).digest("hex");
  return {
    id: `gd-${createHash("sha256").update(text).digest("hex").slice(0, 12)}`,
    sku: given.sku,
    check,
    cohort: `${cohortPrefix}${softwareKey}`.slice(0, 500),
    madeAtMs: given.nowMs,
    expiresAtMs: given.nowMs + yearsKept * yearMs,
    figures: {},
    provenance: {
      cluster,
      softwareKey,
      code: given.code,
      goldens: { ...digests },
      votes: { ...votes },
      runs: runIds.length,
      runsDigest,
      nodes: Math.min(...Object.values(votes).map(({ nodes }) => nodes)),
    },
  };
}

/** True for a baseline that holds goldens. */
export function isGoldenBaseline({ cohort }: Baseline): boolean {
  return cohort.startsWith(cohortPrefix);
}

/** The goldens among baselines: of those that are in force, or that somebody has rejected. */
export function goldensIn(
  baselines: Iterable<BaselineRecord>,
  nowMs: number,
  state: "active" | "rejected" = "active",
): readonly Golden[] {
  return [...baselines].flatMap((baseline): readonly Golden[] => {
    if (!isGoldenBaseline(baseline)) return [];
    if (baseline.state !== state || baseline.expiresAtMs <= nowMs) return [];
    const parsed = provenanceSchema.safeParse(baseline.provenance);
    if (!parsed.success) return [];
    const { cluster, softwareKey, goldens } = parsed.data;
    return [{ cluster, check: baseline.check, softwareKey, digests: goldens }];
  });
}

function byName([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return a < b ? -1 : 1;
}
