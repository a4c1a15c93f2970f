import { TesseraError } from "../../platform/errors/index.ts";
import { readRun } from "../../validation/batch/read-run.ts";
import type { RunPlace } from "../../validation/history/read-records.ts";
import {
  type RunInShort,
  readLookEnd,
  readRunPage,
  runState,
} from "../../validation/history/run-pages.ts";
import type { RunDetailView, RunListQuery, RunListView, RunRow, RunsPort } from "../api/runs.ts";
import { decodeCursor, encodeCursor, wholeNumber } from "./cursor.ts";
import type { Fleet } from "./fleet.ts";
import { findingsOf } from "./run-figures.ts";
import { type LoggedRun, logOf, readLog } from "./run-log.ts";
import { sampleLevels } from "./samples.ts";

const samplesMax = 2000;

/** The runs of all clusters, also of those that are no longer in the configuration. */
export function createRunsPort(fleet: Fleet): RunsPort {
  return {
    list: (query) => listRuns(fleet, query),
    run: async (id) => await detailOf(await loggedRun(fleet, id)),
    log: async (id, query) => await readLog(await loggedRun(fleet, id), query),
  };
}

async function listRuns(fleet: Fleet, query: RunListQuery): Promise<RunListView> {
  const { limit, cursor, ...filter } = query;
  const route = "GET /api/v1/runs";
  const after = decodeCursor(cursor, route);
  const before = after && {
    plannedAtMs: wholeNumber(after[0], route),
    seq: wholeNumber(after[1], route),
  };
  const { db } = fleet.store;
  const wanted = { ...filter, before };
  const isSifted = filter.verdict !== undefined || filter.outcome !== undefined;
  const from = isSifted ? await readLookEnd(db, wanted) : undefined;
  // One more tells whether there is a next page.
  const found = await readRunPage(db, { ...wanted, from, limit: limit + 1 });
  const shown = found.slice(0, limit);
  const last = found.length > limit ? shown.at(-1) : undefined;
  // Where the look ended there may be more behind, though perhaps nothing was found before.
  const end = last === undefined ? from : { plannedAtMs: last.intent.plannedAtMs, seq: last.seq };
  return { runs: shown.map(rowOf), next: end === undefined ? null : cursorOf(end) };
}

function cursorOf({ plannedAtMs, seq }: RunPlace): string {
  return encodeCursor([`${plannedAtMs}`, `${seq}`]);
}

function rowOf(run: RunInShort): RunRow {
  const { intent, ended, verdict, reason } = run;
  const startedAtMs = ended === undefined ? run.runningAtMs : ended.startedAtMs;
  return {
    id: intent.id,
    cluster: intent.cluster,
    node: intent.node,
    check: intent.check,
    purpose: intent.purpose,
    state: runState(run),
    plannedAt: iso(intent.plannedAtMs),
    startedAt: startedAtMs === undefined ? null : iso(startedAtMs),
    endedAt: ended === undefined ? null : iso(ended.endedAtMs),
    outcome: ended?.outcome ?? null,
    verdict: verdict ?? null,
    reason: reason ?? ended?.error ?? null,
    provenance: intent.provenance,
  };
}

/** @throws E_NOT_FOUND */
async function loggedRun(fleet: Fleet, id: string): Promise<LoggedRun> {
  const [short] = await readRunPage(fleet.store.db, { id, limit: 1 });
  const record = short && (await readRun(fleet.history, short.intent));
  if (short === undefined || record === undefined) {
    throw new TesseraError("E_NOT_FOUND", { kind: "run", id, list: "/api/v1/runs" });
  }
  const keeper = fleet.keepers.find(({ entry }) => entry.name === short.intent.cluster);
  return { short, record, keeper };
}

async function detailOf(run: LoggedRun): Promise<RunDetailView> {
  const { short, record } = run;
  const { intent } = short;
  const { result, verdict } = record;
  return {
    ...rowOf(short),
    why: intent.reason,
    policy: intent.policy,
    sku: intent.sku,
    rack: intent.rack,
    gpus: intent.gpus,
    gpuHours: intent.gpuHours,
    jobName: intent.jobName,
    submittedAt: short.submittedAtMs === undefined ? null : iso(short.submittedAtMs),
    error: result?.error ?? null,
    hardFacts: [...(result?.hardFacts ?? [])],
    cohort: result?.cohort ?? null,
    findings: findingsOf(record),
    figures: Object.entries(result?.figures ?? {}).map(([name, figure]) => ({
      name,
      unit: figure.unit ?? "",
      higherIsBetter: figure.higherIsBetter,
      samples: figure.samples.filter((sample) => Number.isFinite(sample)).slice(0, samplesMax),
      samplesTotal: figure.samples.length,
      median: sampleLevels(figure.samples)?.median ?? null,
    })),
    facts: { ...result?.facts },
    baselineId: verdict?.baselineId ?? null,
    handedIn: result?.origin ?? null,
    log: await logOf(run),
  };
}

function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}
