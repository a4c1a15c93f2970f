import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { root } from "../../scripts/lib/repository.ts";
import { commandTable } from "../../src/cli/commands/index.ts";
import { openStore } from "../../src/platform/store/index.ts";
import { createRealClock } from "../../src/platform/time/index.ts";
import { tempDir } from "../support/temp-dir.ts";

const read = (name: string) => readFileSync(join(root, "docs", name), "utf8");

/** The names in backticks in the first column of the table below a heading of columns. */
function firstColumn(markdown: string, columns: string): readonly string[] {
  const [, after = ""] = markdown.split(`${columns}\n`);
  const rows = after.split("\n");
  const end = rows.findIndex((row) => !row.startsWith("|"));
  return rows
    .slice(0, end === -1 ? undefined : end)
    .flatMap((row) => /^\| `([^`]+)`/.exec(row)?.[1] ?? []);
}

/** Tables and views of a new store, apart from those of SQLite itself. */
async function namesInStore(kind: "table" | "view"): Promise<readonly string[]> {
  const url = `sqlite:${join(await tempDir(), "t.db")}`;
  const store = await openStore({ url, clock: createRealClock() });
  try {
    const { rows } = await sql<{ name: string }>`
      select name from sqlite_master where type = ${kind} and name not like 'sqlite%' order by name
    `.execute(store.db);
    return rows.map(({ name }) => name);
  } finally {
    await store.close();
  }
}

describe("docs/store.md", () => {
  it("says what each table holds, and names none that is not there", async () => {
    const stated = firstColumn(read("store.md"), "| table | what it holds |");
    expect(stated.toSorted()).toEqual(await namesInStore("table"));
  });

  it("says what each view shows, and names none that is not there", async () => {
    const stated = firstColumn(read("store.md"), "| view, for people | what it shows |");
    expect(stated.toSorted()).toEqual(await namesInStore("view"));
  });
});

describe("docs/architecture.md", () => {
  it("names each command of the first level, and none that is not there", () => {
    const [, row = ""] = /^\| `cli` \| (`up`.*) \|$/m.exec(read("architecture.md")) ?? [];
    const stated = [...row.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
    const there = new Set(commandTable.specs.map(({ name }) => name.replace(/ .*/, "")));
    expect(stated.toSorted()).toEqual([...there].toSorted());
  });
});

describe("a table of a document", () => {
  const text = "| a | b |\n|---|---|\n| `x` | 1 |\n| plain | 2 |\n| `y` | 3 |\n\n| `z` | 4 |\n";

  it("has the names of its first column", () => {
    expect(firstColumn(text, "| a | b |")).toEqual(["x", "y"]);
  });

  it("has none where there is no such table", () => {
    expect(firstColumn(text, "| a | c |")).toEqual([]);
  });
});
