import type { ColumnType } from "kysely";

/** A value that is written once: rows of append-only tables have only these. */
export type Fixed<Value> = ColumnType<Value, Value, never>;

/** The number the engine gives to each row, in order of writing. */
export type RowNumber = ColumnType<number, never, never>;

/** Milliseconds since the Unix epoch. */
export type TimeMs = number;

/** A JSON document as text: the one form that both engines keep and return alike. */
export type JsonText = string;
