import assert from "node:assert/strict";
import type { Defect } from "../plan/index.ts";
import type { RunSummary } from "./run-summary.ts";
import type { SwarmKind } from "./swarm/index.ts";

/** One run of the campaign, with its place. */
export interface CampaignRun extends RunSummary {
  readonly index: number;
  readonly kind: SwarmKind;
}

/** A planted bug and the runs that looked for it. */
export interface CanaryRun {
  readonly defect: Defect;
  /** Plans that were run; the last of them found it, if any did. */
  readonly attempts: number;
  /** Null: no run failed, so the campaign is blind to it. */
  readonly found: RunSummary | null;
}

/** A stretch of a campaign, whole in itself. Stretches of one campaign can be joined. */
export interface CampaignPart {
  readonly format: "tessera-chaos-campaign-part/1";
  /** The version that ran it. */
  readonly version: string;
  readonly seed: string;
  /** In the order of their indexes. */
  readonly runs: readonly CampaignRun[];
  readonly canaries: readonly CanaryRun[];
}

/**
 * Joins stretches. Canaries follow from the seed alone, so every stretch has the same ones; a run that two
 * stretches have must be the same in both.
 */
export function joinParts(parts: readonly CampaignPart[]): CampaignPart {
  const [first] = parts;
  assert(first !== undefined, "there is something to join");
  const runs = new Map<number, CampaignRun>();
  const canaries = new Map<Defect, CanaryRun>();
  for (const part of parts) {
    assert(part.seed === first.seed, "stretches of one campaign have one seed");
    assert(part.version === first.version, "stretches of one campaign have one version");
    for (const run of part.runs) put(runs, run.index, run);
    for (const canary of part.canaries) put(canaries, canary.defect, canary);
  }
  return {
    ...first,
    runs: [...runs.values()].toSorted((one, other) => one.index - other.index),
    canaries: [...canaries.values()],
  };
}

function put<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  const before = map.get(key);
  assert(
    before === undefined || JSON.stringify(before) === JSON.stringify(value),
    `two stretches disagree about ${String(key)}`,
  );
  map.set(key, value);
}
