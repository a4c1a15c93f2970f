import { createHash } from "node:crypto";
import type { StoreDialect } from "./store.ts";

/** What the engines write differently. */
export interface ColumnTypes {
  readonly dialect: StoreDialect;
  /** A primary key the engine counts up by itself and never hands out twice. */
  readonly rowNumber: string;
  /** A whole number of 64 bits; times are kept in it as milliseconds since the Unix epoch. */
  readonly integer: string;
}

/**
 * One step of the schema, forward only. Its SQL must never change once released: stores remember
 * its checksum, and refuse to go on when it differs.
 */
export interface Migration {
  /** 1, 2, 3 ... without gaps. */
  readonly number: number;
  readonly name: string;
  /** The statements, in order; all of them happen or none. */
  readonly statements: (types: ColumnTypes) => readonly string[];
}

const columnTypes: Readonly<Record<StoreDialect, ColumnTypes>> = {
  sqlite: {
    dialect: "sqlite",
    rowNumber: "integer primary key autoincrement",
    integer: "integer",
  },
  postgres: {
    dialect: "postgres",
    rowNumber: "bigint generated always as identity primary key",
    integer: "bigint",
  },
};

/** The SQL of a migration for one engine. */
export function statementsOf(migration: Migration, dialect: StoreDialect): readonly string[] {
  return migration.statements(columnTypes[dialect]);
}

/** What a store remembers of a migration: the SHA-256 of its SQL, however it is indented. */
export function checksumOf(migration: Migration, dialect: StoreDialect): string {
  const text = statementsOf(migration, dialect).map((sql) => sql.replace(/\s+/g, " ").trim());
  return createHash("sha256").update(text.join(";\n")).digest("hex");
}
