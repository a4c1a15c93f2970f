import { describe, expect, test } from "vitest";
import { pendingMigrations } from "../../../src/platform/store/history.ts";
import { checksumOf, type Migration } from "../../../src/platform/store/migration.ts";
import { migrations } from "../../../src/platform/store/migrations/index.ts";

const known: readonly Migration[] = ["one", "two", "three"].map((name, index) => ({
  number: index + 1,
  name,
  statements: () => [`create table ${name} (x integer)`],
}));
const applied = known.map((migration) => ({
  number: migration.number,
  name: migration.name,
  checksum: checksumOf(migration, "sqlite"),
}));
const judge = (history: typeof applied) =>
  pendingMigrations({ known, applied: history, dialect: "sqlite", store: "sqlite:x" });

describe("what is still to do", () => {
  test.each([0, 1, 2, 3])("after %i migrations is all that follow", (count) => {
    expect(judge(applied.slice(0, count))).toEqual(known.slice(count));
  });

  test("is nothing a program may do to a store that went further", () => {
    const further = [...applied, { number: 4, name: "four", checksum: "" }];
    expect(() => judge(further)).toThrow(
      expect.objectContaining({ code: "E_STORE_NEWER" }) as Error,
    );
  });

  test("is nothing a program may do to a store that went another way", () => {
    const [first, second, third] = applied;
    if (first === undefined || second === undefined || third === undefined) throw new Error();
    for (const history of [
      [first, third],
      [first, { ...second, checksum: "" }],
      [{ ...first, name: "uno" }],
    ]) {
      const refusal = expect.objectContaining({ code: "E_STORE_HISTORY" }) as Error;
      expect(() => judge(history)).toThrow(refusal);
    }
  });
});

describe("the checksum of a migration", () => {
  test("does not depend on how its SQL is laid out", () => {
    const [first] = known;
    if (first === undefined) throw new Error();
    const laidOut = { ...first, statements: () => ["\n  create table\n    one (x integer)\n"] };
    expect(checksumOf(laidOut, "sqlite")).toBe(checksumOf(first, "sqlite"));
  });

  test("differs when a statement does", () => {
    const [first, second] = known;
    if (first === undefined || second === undefined) throw new Error();
    expect(checksumOf(first, "sqlite")).not.toBe(checksumOf(second, "sqlite"));
  });

  // A released migration must never change: every store out there remembers its checksum. When
  // this fails, undo the change and write a new migration.
  test("is the released one, for every migration and engine", () => {
    const released = migrations.map((migration) => [
      migration.name,
      checksumOf(migration, "sqlite").slice(0, 16),
      checksumOf(migration, "postgres").slice(0, 16),
    ]);
    expect(released).toMatchInlineSnapshot(`
      [
        [
          "foundation",
          "30c5ceaeb50790c3",
          "cae6736f876a00ce",
        ],
        [
          "run history",
          "fdb29bb542079841",
          "89f948d58f80b4a6",
        ],
        [
          "campaigns",
          "b131887ee97a1f9d",
          "b294e98ad98aee33",
        ],
        [
          "experiments",
          "d56f9699062a0472",
          "a6d70ea3f8b9dfd8",
        ],
        [
          "notifications",
          "cc840d25cd678a01",
          "d5c7a1b8d9725719",
        ],
      ]
    `);
  });
});
