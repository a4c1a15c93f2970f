import type { Migration } from "../../../../src/platform/store/migration.ts";
import { migrations } from "../../../../src/platform/store/migrations/index.ts";

/** A table for tests: each transaction is to leave both halves of a pair, or none. */
export const withPairs: readonly Migration[] = [
  ...migrations,
  {
    number: migrations.length + 1,
    name: "pairs",
    statements: (types) => [
      `create table pairs (
        pair ${types.integer} not null,
        half text not null,
        primary key (pair, half)
      )`,
    ],
  },
];
