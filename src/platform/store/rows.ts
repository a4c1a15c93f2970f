import type { Insertable, Selectable, SelectQueryBuilder } from "kysely";
import type { Schema } from "./schema.ts";

/** A row to be written. */
export type NewRow<Table extends keyof Schema> = Insertable<Schema[Table]>;

/** A row as it is read. */
export type StoredRow<Table extends keyof Schema> = Selectable<Schema[Table]>;

/** A query that gives rows of this form, to be made part of another. */
export type RowsQuery<Row> = SelectQueryBuilder<Schema, never, Row>;
