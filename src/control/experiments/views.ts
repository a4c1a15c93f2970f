import type {
  ExperimentDetailView,
  ExperimentPlanView,
  ExperimentRow,
  ReproducerView,
} from "../api/experiments.ts";
import type { BriefRow, WholeRow } from "./experiment-book.ts";
import type { RunDetail } from "./experiment-detail.ts";
import { shownSearch } from "./reproducer.ts";

export function rowView(row: BriefRow): ExperimentRow {
  return {
    id: row.id,
    title: row.title,
    world: row.world as ExperimentRow["world"],
    seed: row.seed,
    state: row.state as ExperimentRow["state"],
    outcome: row.outcome,
    reason: row.reason,
    faults: JSON.parse(row.faults) as string[],
    startedBy: row.started_by,
    startedAt: new Date(row.started_at).toISOString(),
    endedAt: row.ended_at === null ? null : new Date(row.ended_at).toISOString(),
    provenance: row.world === "sim" ? "simulated" : "measured",
  };
}

/** True once nothing more will happen. */
export function isOver({ state }: Pick<ExperimentRow, "state">): boolean {
  return state !== "waiting" && state !== "running" && state !== "stopping";
}

/** What is known of a run that has not come to its end; its faults are added as they go. */
const nothingYet: Omit<RunDetail, "outcome" | "reason"> & Partial<RunDetail> = {
  injections: [],
  residualFaults: [],
  recoveries: [],
  findings: [],
  metrics: [],
  timeUse: [],
  rate: null,
  generations: [],
  saves: [],
  endS: null,
  traceHash: null,
  stateDigest: null,
  signature: null,
  notes: [],
};

export function detailView(row: WholeRow, eventsTotal: number): ExperimentDetailView {
  const brief = rowView(row);
  const known = JSON.parse(row.detail ?? "{}") as Partial<RunDetail>;
  const { outcome: _outcome, reason: _reason, ...detail } = { ...nothingYet, ...known };
  return {
    ...brief,
    text: row.text,
    phase: isOver(brief) ? null : row.phase,
    plan: JSON.parse(row.plan) as ExperimentPlanView,
    ...detail,
    replay: replayCommand(brief),
    reproducer: reproducerOf(row),
    eventsTotal,
  };
}

const noReproducer: ReproducerView = {
  state: "none",
  reason: "nobody asked for one",
  runs: 0,
  faultsBefore: null,
  faultsAfter: null,
  text: null,
};

export function reproducerOf({ reproducer }: Pick<WholeRow, "reproducer">): ReproducerView {
  return reproducer === null ? noReproducer : shownSearch(reproducer);
}

/** For a shell; the file is the text of the experiment, saved under that name. */
export function replayCommand({
  title,
  world,
  seed,
}: Pick<ExperimentRow, "title" | "world" | "seed">): string {
  const slug = title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
  const file = `${slug.slice(0, 60) || "experiment"}.yaml`;
  return `tessera chaos run ${file} --world ${world} --seed ${quoted(seed)}`;
}

function quoted(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
