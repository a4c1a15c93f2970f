import type { Migration } from "../migration.ts";

/** What people are told, written down before it is sent. */
export const notifications: Migration = {
  number: 5,
  name: "notifications",
  statements: ({ rowNumber, integer }) => [
    `create table notification_deliveries (
      id text primary key,
      target text not null,
      made_at ${integer} not null,
      state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
      attempts ${integer} not null default 0,
      due_at ${integer} not null,
      leased_until ${integer} not null default 0,
      last_error text,
      ended_at ${integer}
    )`,
    `create index notification_deliveries_target on notification_deliveries (target, state, due_at)`,
    `create table notification_news (
      seq ${rowNumber},
      target text not null,
      id text not null,
      event text not null,
      at ${integer} not null,
      document text not null,
      delivery text references notification_deliveries (id) on delete cascade,
      unique (target, id)
    )`,
    `create index notification_news_delivery on notification_news (delivery)`,
    `create index notification_news_waiting on notification_news (target, seq) where delivery is null`,
    `create table notification_subjects (
      key text primary key,
      state text not null,
      changed_at ${integer} not null
    )`,
    `create table notification_cursors (
      name text primary key,
      seq ${integer} not null
    )`,
  ],
};
