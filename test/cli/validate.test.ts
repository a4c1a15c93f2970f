import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { commandTable } from "../../src/cli/commands/index.ts";
import { run } from "../../src/cli/run.ts";
import { openStore } from "../../src/platform/store/index.ts";
import { createRealClock } from "../../src/platform/time/index.ts";
import { openHistory } from "../../src/validation/history/index.ts";
import { tempDir } from "../support/temp-dir.ts";

interface Shape {
  readonly sections: readonly {
    readonly title: string;
    readonly items: readonly { readonly name: string; readonly status: string }[];
  }[];
}

/** A configuration with one small made-up cluster, and a store of its own. */
async function setUp() {
  const folder = await tempDir();
  const clusters = [{ name: "small", kind: "simulated", nodes: 8, speed: 3_000, seed: "validate" }];
  const validation = { policy: "stale", limits: { inFlight: 3 }, clusters };
  const path = join(folder, "tessera.yaml");
  await writeFile(path, JSON.stringify({ dataDir: folder, validation }));
  return { folder, config: ["--config", path] };
}

/** Runs a command line in this process, in real time: a loop waits. */
async function runHere(argv: readonly string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await run(argv, {
    io: { stdout, stderr, env: { HOME: "/nonexistent" }, cwd: "/" },
    clock: createRealClock(),
    signal: new AbortController().signal,
    table: commandTable,
  });
  stdout.end();
  stderr.end();
  return { code, stdout: await text(stdout), stderr: await text(stderr) };
}

describe("tessera validate", () => {
  test("--once runs what is due, reports it and ends with the verdicts' exit code", async () => {
    const { config } = await setUp();
    const { code, stdout } = await runHere(["validate", "--once", "--json", ...config]);
    const { sections } = JSON.parse(stdout) as Shape;
    const items = sections.flatMap((section) => section.items);
    const tested = items.filter(({ status }) => status !== "skipped");
    expect(sections.map(({ title }) => title)).toEqual(["small"]);
    expect(tested.length).toBeGreaterThan(0);
    const statuses = new Set(tested.map(({ status }) => status));
    const undecided = statuses.has("unknown") || statuses.has("suspect");
    expect(code).toBe(statuses.has("fail") ? 1 : undecided ? 3 : 0);
  });

  test("--dry-run shows what would be submitted and leaves no trace of a run or a leader", async () => {
    const { folder, config } = await setUp();
    const { code, stdout } = await runHere(["validate", "--dry-run", ...config]);
    expect(code).toBe(0);
    expect(stdout).toContain("to begin now");
    const store = await openStore({
      url: `sqlite:${join(folder, "tessera.db")}`,
      clock: createRealClock(),
    });
    expect(await openHistory(store).runs({ cluster: "small" })).toEqual([]);
    expect(await store.db.selectFrom("leader_locks").selectAll().execute()).toEqual([]);
    await store.close();
  });

  test("refuses what makes no sense together, and clusters it does not know", async () => {
    const { config } = await setUp();
    const both = await runHere(["validate", "--once", "--dry-run", ...config]);
    expect(both.code).toBe(2);
    expect(both.stderr).toContain("exclude each other");
    const unknown = await runHere(["validate", "--once", "--cluster", "smal", ...config]);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain("small");
    const junit = await runHere(["validate", "--junit", join("x.xml"), ...config]);
    expect(junit.stderr).toContain("--once");
  });
});
