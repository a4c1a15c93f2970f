import type { ColumnTypes, Migration } from "../migration.ts";

export const foundation: Migration = {
  number: 1,
  name: "foundation",
  statements: (types) => [
    `create table meta (
      key text primary key,
      value text not null
    )`,
    `create table audit (
      id ${types.rowNumber},
      at ${types.integer} not null,
      actor text not null,
      action text not null,
      subject text not null,
      details text not null
    )`,
    `create index audit_at on audit (at)`,
    `create table tokens (
      id text primary key,
      name text not null,
      role text not null check (role in ('read', 'operate', 'inject', 'admin')),
      hash text not null unique,
      created_at ${types.integer} not null,
      expires_at ${types.integer},
      revoked_at ${types.integer}
    )`,
    `create table doctor_findings (
      id ${types.rowNumber},
      at ${types.integer} not null,
      probe text not null,
      state text not null check (state in ('works', 'limited', 'missing', 'unknown')),
      reason text not null,
      hint text,
      evidence text not null
    )`,
    `create index doctor_findings_probe on doctor_findings (probe, id)`,
    `create table leader_locks (
      name text primary key,
      holder text not null,
      expires_at ${types.integer} not null,
      fencing_token ${types.integer} not null
    )`,
    ...appendOnly(types),
  ],
};

/** Makes the engine itself refuse to change or remove what the audit log says. */
function appendOnly(types: ColumnTypes): readonly string[] {
  if (types.dialect === "sqlite") {
    return ["update", "delete"].map(
      (change) => `create trigger audit_no_${change} before ${change} on audit
        begin select raise(abort, 'the audit log is append-only'); end`,
    );
  }
  return [
    `create function audit_refuse_change() returns trigger language plpgsql as $$
      begin raise exception 'the audit log is append-only'; end $$`,
    `create trigger audit_no_change before update or delete or truncate on audit
      for each statement execute function audit_refuse_change()`,
  ];
}
