import type { Migration } from "../migration.ts";

/** Experiments of the control plane, and what was foretold of the hardware faults it asked for. */
export const experiments: Migration = {
  number: 4,
  name: "experiments",
  statements: ({ rowNumber, integer }) => [
    `create table experiments (
      seq ${rowNumber},
      id text not null unique,
      title text not null,
      world text not null,
      seed text not null,
      state text not null,
      outcome text check (outcome in ('pass', 'fail', 'inconclusive')),
      reason text,
      faults text not null,
      started_by text not null,
      started_at ${integer} not null,
      ended_at ${integer},
      holder text not null,
      seen_at ${integer} not null,
      phase text,
      text text not null,
      plan text not null,
      detail text,
      report text,
      reproducer text
    )`,
    `create index experiments_state on experiments (state, seq)`,
    `create index experiments_ended on experiments (ended_at)`,
    `create table experiment_events (
      experiment ${integer} not null references experiments (seq) on delete cascade,
      seq ${integer} not null,
      event text not null,
      primary key (experiment, seq)
    )`,
    `create table hardware_plans (
      seq ${rowNumber},
      fault_id text not null unique,
      at ${integer} not null,
      plan text not null
    )`,
  ],
};
