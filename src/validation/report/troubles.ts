import { groupBy } from "../classify/cohorts.ts";
import type { RunRecord } from "../run.ts";

/** Runs that did not complete, alike in how. */
export interface ErrorKind {
  readonly outcome: string;
  /** What they have in common: the sentence without names and numbers. */
  readonly what: string;
  readonly runs: number;
  readonly nodes: number;
  /** One of them as it was. */
  readonly example: string;
}

/** The runs that did not complete, by kind, most frequent first. */
export function errorKinds(runs: readonly RunRecord[]): readonly ErrorKind[] {
  const failed = runs.filter(
    ({ result }) => result !== undefined && result.outcome !== "completed",
  );
  const groups = groupBy(failed, (run) =>
    JSON.stringify([run.result?.outcome, withoutParticulars(run)]),
  );
  return [...groups.values()]
    .map((group): ErrorKind => {
      const [first] = group;
      const sentence = first?.result?.error ?? "";
      return {
        outcome: first?.result?.outcome ?? "error",
        what: first === undefined ? "" : withoutParticulars(first),
        runs: group.length,
        nodes: new Set(group.map(({ intent }) => intent.node)).size,
        example: `${first?.intent.node ?? ""} ${first?.intent.check ?? ""}: ${sentence || "no reason was given"}`,
      };
    })
    .toSorted((a, b) => b.runs - a.runs);
}

/** A sentence with its node, job and numbers taken out, so that like ones fall together. */
function withoutParticulars({ intent, result }: RunRecord): string {
  const sentence = result?.error ?? "";
  if (sentence === "") return "no reason was given";
  return sentence
    .replaceAll(intent.jobName, "JOB")
    .replaceAll(intent.node, "NODE")
    .replaceAll(/\d+(\.\d+)?/g, "N")
    .slice(0, 200);
}

/** Many nodes that did badly at once: blamed on what they share, not on them. */
export interface Incident {
  readonly check: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly runs: number;
  readonly nodes: number;
  /** The sentence of one of the verdicts. */
  readonly reason: string;
}

// Longer apart and it is another incident.
const gapMs = 2 * 3_600_000;

/** The stretches of time in which runs were blamed on what the nodes share, newest first. */
export function incidentsOf(runs: readonly RunRecord[]): readonly Incident[] {
  const blamed = runs
    .filter(({ verdict }) => verdict?.findings.some(({ rule }) => rule === "incident"))
    .toSorted((a, b) => a.intent.plannedAtMs - b.intent.plannedAtMs);
  const incidents: Incident[] = [];
  for (const group of groupBy(blamed, ({ intent }) => intent.check).values()) {
    let open: RunRecord[] = [];
    for (const run of group) {
      const last = open.at(-1);
      if (last !== undefined && run.intent.plannedAtMs - last.intent.plannedAtMs > gapMs) {
        incidents.push(incidentFrom(open));
        open = [];
      }
      open.push(run);
    }
    if (open.length > 0) incidents.push(incidentFrom(open));
  }
  return incidents.toSorted((a, b) => b.fromMs - a.fromMs);
}

function incidentFrom(runs: readonly RunRecord[]): Incident {
  const [first] = runs;
  return {
    check: first?.intent.check ?? "",
    fromMs: first?.intent.plannedAtMs ?? 0,
    toMs: runs.at(-1)?.intent.plannedAtMs ?? 0,
    runs: runs.length,
    nodes: new Set(runs.map(({ intent }) => intent.node)).size,
    reason: first?.verdict?.reason ?? "",
  };
}
