/** What is known about one run of a node and check before confirmation. */
export interface RunEvidence {
  readonly timeMs: number;
  /** Bad by its own values. */
  readonly ownBad: boolean;
  /** How clearly the node's runs together are bad at this time, beyond the bound; 0 when not. */
  readonly nodeExcess: number;
  /** Part of an incident: neither confirms nor clears. */
  readonly inIncident: boolean;
}

/**
 * What the other runs make of a bad one. `confirmed`: they are bad as well; `cleared`: later runs
 * are well; `open`: there is no later run; `likely`: only all runs together show it.
 */
export type Confirmation = "well" | "confirmed" | "likely" | "cleared" | "open";

const flappingRuns = 3;
const flappingMs = 14 * 86_400_000;
const flappingShare = 0.15;
/** Evidence of all runs together that needs no single run beyond its own band, in deviations. */
const clearExcess = 1;

/** Settles each run of one node and check, given in the order of time. */
export function confirmRuns(runs: readonly RunEvidence[]): readonly Confirmation[] {
  const counted = runs.filter(({ inIncident }) => !inIncident);
  const bad = counted.map(({ ownBad, nodeExcess }) => ownBad || nodeExcess > 0);
  const flapping = findFlapping(counted);
  const settled = new Map<RunEvidence, Confirmation>();
  for (const [at, run] of counted.entries())
    settled.set(run, settle(at, { counted, bad, flapping }));
  return runs.map(
    (run) => settled.get(run) ?? (run.ownBad || run.nodeExcess > 0 ? "cleared" : "well"),
  );
}

interface History {
  readonly counted: readonly RunEvidence[];
  readonly bad: readonly boolean[];
  readonly flapping: readonly boolean[];
}

function settle(at: number, { counted, bad, flapping }: History): Confirmation {
  const run = counted[at];
  if (run === undefined || bad[at] !== true) return "well";
  if (flapping[at] === true) return "confirmed";
  const clearedLater = at + 1 < counted.length && bad.slice(at + 1).includes(false);
  if (run.nodeExcess > 0) {
    const ownBad = counted.filter((other) => other.ownBad).length;
    if (!clearedLater) return run.nodeExcess >= clearExcess || ownBad >= 2 ? "confirmed" : "likely";
    return "cleared";
  }
  if (clearedLater) return "cleared";
  const confirmed = bad[at - 1] === true || bad[at + 1] === true;
  return confirmed ? "confirmed" : "open";
}

/** Runs of a node that keeps being bad now and then: three or more in fourteen days, and no rarity. */
function findFlapping(runs: readonly RunEvidence[]): readonly boolean[] {
  const isBad = ({ ownBad, nodeExcess }: RunEvidence) => ownBad || nodeExcess > 0;
  return runs.map((run) => {
    if (!isBad(run)) return false;
    const near = runs.filter(({ timeMs }) => Math.abs(timeMs - run.timeMs) <= flappingMs);
    const bad = near.filter(isBad).length;
    return bad >= flappingRuns && bad >= flappingShare * near.length;
  });
}
