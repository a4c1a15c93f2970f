import type { ColumnTypes } from "../migration.ts";

/** For people with sqlite3 or psql; no code of ours reads these. */
export function createViews(types: ColumnTypes): readonly string[] {
  return [latestStatus, testRuns(types)];
}

const resultOf = (run: string) => `case
  (select v.verdict from run_verdicts v where v.run_id = ${run} order by v.seq desc limit 1)
    when 'pass' then 'Pass'
    when 'warn' then 'Warn'
    when 'suspect' then 'Suspect'
    when 'fail' then 'Fail'
    else 'Unknown'
  end`;

const latestStatus = `create view latest_status as
  select l.node as "Node",
    l.check_name as "Test Name",
    l.ended_at / 1000 as "Timestamp",
    ${resultOf("l.ended_run")} as "Result",
    l.cluster as "Cluster",
    i.provenance as "Provenance"
  from latest_runs l
  join run_intents i on i.id = l.ended_run`;

// What the pod says outweighs what the loop concluded, and `pod` is the greater of the two words.
function testRuns(types: ColumnTypes): string {
  const time = (column: string) => isoTime(types, column);
  return `create view test_runs as
    select i.id as "Run",
      i.cluster as "Cluster",
      i.node as "Node",
      i.check_name as "Test Name",
      ${time("i.planned_at")} as "Planned",
      ${time("r.started_at")} as "Started",
      ${time("r.ended_at")} as "Ended",
      coalesce(r.outcome, 'open') as "Outcome",
      case when r.run_id is not null then ${resultOf("i.id")} end as "Result",
      (select v.reason from run_verdicts v where v.run_id = i.id order by v.seq desc limit 1)
        as "Why",
      r.error as "Error",
      i.purpose as "Purpose",
      i.policy as "Policy",
      i.reason as "Planned Because",
      i.sku as "SKU",
      i.gpu_hours as "GPU-Hours",
      i.job_name as "Job",
      i.provenance as "Provenance"
    from run_intents i
    left join run_results r on r.run_id = i.id
      and r.origin = (select max(o.origin) from run_results o where o.run_id = i.id)`;
}

function isoTime({ dialect }: ColumnTypes, column: string): string {
  return dialect === "sqlite"
    ? `strftime('%Y-%m-%dT%H:%M:%SZ', ${column} / 1000, 'unixepoch')`
    : `to_char(to_timestamp(${column} / 1000) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
}
