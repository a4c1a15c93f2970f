import type { ColumnTypes, Migration } from "../migration.ts";
import { createCurrent } from "./0002-current.ts";
import { createRecords, recordTables } from "./0002-records.ts";
import { createViews } from "./0002-views.ts";

/** What was planned, measured and concluded about nodes. */
export const runHistory: Migration = {
  number: 2,
  name: "run history",
  statements: (types) => [
    ...createRecords(types),
    ...createCurrent(types),
    ...createViews(types),
    ...appendOnly(types),
  ],
};

/** Makes the engine itself refuse to change or remove a record. */
function appendOnly(types: ColumnTypes): readonly string[] {
  if (types.dialect === "sqlite") {
    return recordTables.flatMap((table) =>
      ["update", "delete"].map(
        (change) => `create trigger ${table}_no_${change} before ${change} on ${table}
          begin select raise(abort, '${table} is append-only'); end`,
      ),
    );
  }
  return [
    `create function refuse_change() returns trigger language plpgsql as $$
      begin raise exception '% is append-only', tg_table_name; end $$`,
    ...recordTables.map(
      (table) => `create trigger ${table}_no_change before update or delete or truncate on ${table}
        for each statement execute function refuse_change()`,
    ),
  ];
}
