import type { Store } from "../../platform/store/index.ts";
import { changeBaseline, readBaselines, saveBaseline } from "./baselines.ts";
import type { History } from "./history.ts";
import { readGpuHours, readLastEnded, readLatestStatus } from "./latest-status.ts";
import { readNodeEvents, recordNodeEvents } from "./node-events.ts";
import { findIntent, noteRun, openRuns } from "./open-runs.ts";
import { planRuns } from "./plan-runs.ts";
import { readRuns, readUnjudged } from "./read-records.ts";
import { createResultRecorder } from "./record-result.ts";
import { recordRuns } from "./record-runs.ts";
import { recordVerdicts } from "./record-verdicts.ts";

/**
 * The history in a store. Costs nothing to open and needs no closing; several may be open on one
 * store. Every method may throw E_STORE_BUSY, E_STORE_UNUSABLE and E_STORE_CORRUPT, and has then
 * written nothing.
 */
export function openHistory(store: Store): History {
  const { db } = store;
  return {
    planRuns: (gate, intents) => planRuns(store, gate, intents),
    openRuns: (cluster) => openRuns(db, cluster),
    noteRun: (runId, note) => noteRun(store, runId, note),
    findIntent: (runId) => findIntent(db, runId),
    recordResult: createResultRecorder(store),
    recordRuns: (runs) => recordRuns(store, runs),
    recordVerdicts: async (verdicts) => {
      if (verdicts.length > 0) await store.transaction((trx) => recordVerdicts(trx, verdicts));
    },
    unjudgedRuns: (cluster, limit) => readUnjudged(db, cluster, limit),
    runs: (filter) => readRuns(db, filter),
    latestStatus: (cluster, checks, nowMs) => readLatestStatus(store, { cluster, checks, nowMs }),
    lastEndedAtMs: (cluster) => readLastEnded(store, cluster),
    gpuHoursSince: (cluster, fromMs) => readGpuHours(db, cluster, fromMs),
    recordNodeEvents: (events) => recordNodeEvents(store, events),
    nodeEvents: (filter) => readNodeEvents(db, filter),
    saveBaseline: (baseline, by) => saveBaseline(store, baseline, by),
    changeBaseline: (id, change) => changeBaseline(store, id, change),
    baselines: (filter) => readBaselines(db, filter),
  };
}
