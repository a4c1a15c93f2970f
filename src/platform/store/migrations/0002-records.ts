import type { ColumnTypes } from "../migration.ts";

/** The tables to which records are only ever added. */
export const recordTables = [
  "run_intents",
  "run_notes",
  "run_results",
  "run_hand_ins",
  "run_verdicts",
  "node_events",
  "baselines",
  "baseline_changes",
  "leader_fences",
] as const;

export function createRecords(types: ColumnTypes): readonly string[] {
  return [...createRuns(types), ...createResults(types), ...createNodes(types)];
}

function createRuns({ rowNumber, integer }: ColumnTypes): readonly string[] {
  return [
    `create table run_intents (
      seq ${rowNumber},
      id text not null unique,
      cluster text not null,
      node text not null,
      check_name text not null,
      planned_at ${integer} not null,
      job_name text not null,
      purpose text not null,
      reason text not null,
      policy text not null,
      sku text not null,
      rack text not null,
      file_system text not null,
      gpus ${integer} not null,
      gpu_hours double precision not null,
      provenance text not null check (provenance in ('measured', 'modelled', 'simulated'))
    )`,
    `create index run_intents_pair on run_intents (cluster, node, check_name, planned_at)`,
    // Ordered as runs are listed, and holding all that a day's GPU-hours are summed from.
    `create index run_intents_planned on run_intents (cluster, planned_at, seq, gpu_hours)`,
    `create index run_intents_time on run_intents (planned_at, seq)`,
    `create table run_notes (
      seq ${rowNumber},
      run_id text not null references run_intents (id),
      phase text not null check (phase in ('submitted', 'running', 'cancelling')),
      at ${integer} not null,
      reason text,
      outcome text check (outcome in ('completed', 'error', 'timeout', 'cancelled')),
      unique (run_id, phase)
    )`,
  ];
}

function createResults({ rowNumber, integer }: ColumnTypes): readonly string[] {
  return [
    `create table run_results (
      seq ${rowNumber},
      run_id text not null references run_intents (id),
      origin text not null check (origin in ('pod', 'loop')),
      recorded_at ${integer} not null,
      outcome text not null check (outcome in ('completed', 'error', 'timeout', 'cancelled')),
      started_at ${integer},
      ended_at ${integer} not null,
      error text,
      cohort text,
      hard_facts text not null,
      figures text not null,
      facts text not null,
      unique (run_id, origin)
    )`,
    `create table run_hand_ins (
      seq ${rowNumber},
      run_id text not null references run_intents (id),
      way text not null check (way in ('post', 'file')),
      at ${integer} not null,
      digest text not null,
      unique (run_id, way)
    )`,
    `create table run_verdicts (
      seq ${rowNumber},
      run_id text not null references run_intents (id),
      at ${integer} not null,
      verdict text not null check (verdict in ('pass', 'warn', 'suspect', 'fail', 'unknown')),
      origin text check (origin in ('pod', 'loop')),
      reason text not null,
      baseline_id text,
      findings text not null
    )`,
    `create index run_verdicts_run on run_verdicts (run_id, seq)`,
  ];
}

function createNodes({ rowNumber, integer }: ColumnTypes): readonly string[] {
  return [
    `create table node_events (
      seq ${rowNumber},
      cluster text not null,
      node text not null,
      at ${integer} not null,
      kind text not null,
      digest text not null,
      details text not null,
      unique (cluster, node, at, kind, digest)
    )`,
    `create index node_events_time on node_events (cluster, at, seq)`,
    `create index node_events_kind on node_events (cluster, kind, at, seq)`,
    `create table baselines (
      seq ${rowNumber},
      id text not null unique,
      sku text not null,
      check_name text not null,
      cohort text not null,
      made_at ${integer} not null,
      expires_at ${integer} not null,
      figures text not null,
      provenance text not null
    )`,
    `create index baselines_cohort on baselines (sku, check_name, cohort, made_at)`,
    `create table baseline_changes (
      seq ${rowNumber},
      baseline_id text not null references baselines (id),
      state text not null,
      at ${integer} not null,
      actor text not null,
      reason text not null
    )`,
    `create index baseline_changes_baseline on baseline_changes (baseline_id, seq)`,
    `create table leader_fences (
      cluster text not null,
      fence ${integer} not null,
      primary key (cluster, fence)
    )`,
  ];
}
