import type { Migration } from "../migration.ts";

const outcomes = "('pass', 'fail', 'inconclusive')";

/** What chaos campaigns found, run by run, so that an interrupted one can go on. */
export const campaigns: Migration = {
  number: 3,
  name: "campaigns",
  statements: ({ rowNumber, integer }) => [
    `create table chaos_campaigns (
      seq ${rowNumber},
      name text not null unique,
      seed text not null,
      version text not null,
      begun_at ${integer} not null
    )`,
    `create table chaos_runs (
      campaign ${integer} not null references chaos_campaigns (seq) on delete cascade,
      run_index ${integer} not null,
      kind text not null,
      outcome text not null check (outcome in ${outcomes}),
      signature text,
      trace_hash text,
      state_digest text,
      simulated_seconds double precision not null,
      summary text not null,
      primary key (campaign, run_index)
    )`,
    `create index chaos_runs_signature on chaos_runs (signature) where signature is not null`,
    `create table chaos_canaries (
      campaign ${integer} not null references chaos_campaigns (seq) on delete cascade,
      defect text not null,
      canary text not null,
      primary key (campaign, defect)
    )`,
    `create table chaos_results (
      campaign ${integer} primary key references chaos_campaigns (seq) on delete cascade,
      at ${integer} not null,
      outcome text not null check (outcome in ${outcomes}),
      reason text not null,
      runs ${integer} not null,
      coverage text not null,
      result text not null
    )`,
  ],
};
