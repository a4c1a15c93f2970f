import type { ColumnTypes } from "../migration.ts";

/**
 * What the loop asks at every turn, kept at hand so that years of records need not be searched.
 * All of it follows from the records, and is written in the same transactions.
 */
export function createCurrent({ dialect, integer }: ColumnTypes): readonly string[] {
  return [
    // The engine itself keeps a node from having two.
    `create table open_runs (
      run_id text primary key references run_intents (id),
      cluster text not null,
      node text not null,
      unique (cluster, node)
    )`,
    `create table unjudged_runs (
      run_id text primary key references run_intents (id),
      cluster text not null,
      ended_at ${integer} not null
    )`,
    `create index unjudged_runs_ended on unjudged_runs (cluster, ended_at, run_id)`,
    // Of each pair the run that ended last, and the one that completed last.
    `create table latest_runs (
      cluster text not null,
      check_name text not null,
      node text not null,
      ended_at ${integer} not null,
      ended_run text not null,
      completed_at ${integer},
      completed_run text,
      primary key (cluster, check_name, node)
    )${dialect === "sqlite" ? " without rowid" : ""}`,
  ];
}
