import { TesseraError } from "../errors/index.ts";
import { checksumOf, type Migration } from "./migration.ts";
import type { StoreDialect } from "./store.ts";

/** A migration as the store remembers it. */
export interface AppliedMigration {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
}

/**
 * Compares what a store went through with what this code knows, and gives what is still to do.
 *
 * @throws E_STORE_NEWER when the store is ahead; E_STORE_HISTORY when it went another way.
 */
export function pendingMigrations(options: {
  readonly known: readonly Migration[];
  readonly applied: readonly AppliedMigration[];
  readonly dialect: StoreDialect;
  readonly store: string;
}): readonly Migration[] {
  const { known, applied, dialect, store } = options;
  const found = Math.max(0, ...applied.map((migration) => migration.number));
  if (found > known.length) {
    throw new TesseraError("E_STORE_NEWER", { store, found, known: known.length });
  }
  const refuse = (problem: string) => new TesseraError("E_STORE_HISTORY", { store, problem });
  for (const migration of known.slice(0, found)) {
    const { number, name } = migration;
    const match = applied.find((other) => other.number === number);
    if (match === undefined) throw refuse(`migration ${number} is missing from it`);
    if (match.name !== name) {
      throw refuse(`its migration ${number} is "${match.name}", this Tessera's is "${name}"`);
    }
    if (match.checksum !== checksumOf(migration, dialect)) {
      throw refuse(`its migration ${number} (${name}) was not made by this Tessera's statements`);
    }
  }
  return known.slice(found);
}
