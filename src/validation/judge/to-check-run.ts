import type { CheckRun, FigureSamples } from "../classify/index.ts";
import type { Goldens } from "../goldens/index.ts";
import type { NodeEvent } from "../history/history.ts";
import type { RunRecord } from "../run.ts";

/** When each node was repaired, oldest first. */
export type Repairs = ReadonlyMap<string, readonly number[]>;

/** The times of the repairs among events, by node. */
export function repairsOf(events: readonly NodeEvent[]): Repairs {
  const repairs = new Map<string, number[]>();
  for (const { node, kind, atMs } of events) {
    if (kind !== "repair") continue;
    const own = repairs.get(node);
    if (own === undefined) repairs.set(node, [atMs]);
    else own.push(atMs);
  }
  for (const own of repairs.values()) own.sort((a, b) => a - b);
  return repairs;
}

/**
 * How often a node had been repaired when a run was planned: a repaired node begins a new life, in
 * which its runs of before neither confirm nor clear anything.
 */
export function lifeOf({ intent }: RunRecord, repairs: Repairs): number {
  const own = repairs.get(intent.node) ?? [];
  return own.filter((atMs) => atMs <= intent.plannedAtMs).length;
}

/**
 * A run as classification takes it. The time it counts by is that of its end. Answers with other bits
 * than frozen goldens are hard facts like those that it handed in itself.
 */
export function toCheckRun(record: RunRecord, repairs: Repairs, goldens?: Goldens): CheckRun {
  const { intent, result } = record;
  const completed = result?.outcome === "completed";
  const life = lifeOf(record, repairs);
  const figures = new Map<string, FigureSamples>();
  if (completed) {
    for (const [name, { samples, higherIsBetter, unit }] of Object.entries(result.figures)) {
      figures.set(name, {
        samples: Float64Array.from(samples),
        higherIsBetter,
        ...(unit === undefined || unit.trim() === "" ? {} : { unit }),
      });
    }
  }
  return {
    node: life === 0 ? intent.node : `${intent.node} after repair ${life}`,
    check: intent.check,
    sku: intent.sku,
    ...(result?.cohort === undefined ? {} : { cohort: result.cohort }),
    timestampMs: result?.endedAtMs ?? intent.plannedAtMs,
    completed,
    figures,
    hardFacts: [...(result?.hardFacts ?? []), ...(goldens?.wrongAnswers(record) ?? [])],
  };
}
