import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { Bench, BenchMetric } from "../../bench/bench.ts";
import { describeMachine } from "../../bench/lib/machine.ts";
import { committedResults, keepResult, type StoredResult } from "../../bench/lib/results.ts";
import { type RunContext, runBench } from "../../bench/lib/run.ts";
import { VirtualClock } from "../../src/platform/time/virtual-clock.ts";

const machine = { ...describeMachine(), cpu: "test", cores: 2, node: "20.20.2" };
const ratio: BenchMetric = {
  name: "ratio",
  value: 2,
  unit: "x",
  provenance: "measured",
  better: "lower",
  limit: 3,
};

function benchOf(rest: Partial<Bench> = {}, metric: Partial<BenchMetric> = {}): Bench {
  return {
    name: "store/transactions",
    description: "how fast",
    run: async () => ({ metrics: [{ ...ratio, ...metric }], notes: ["on one disk"] }),
    ...rest,
  };
}

function runIn(bench: Bench, rest: Partial<RunContext> = {}) {
  const lines: string[] = [];
  const context: RunContext = {
    quick: false,
    clock: new VirtualClock({ epochMs: Date.UTC(2026, 0, 31) }),
    machine,
    commit: "abc1234",
    earlier: [],
    write: (line) => lines.push(line),
    ...rest,
  };
  return runBench(bench, context).then((outcome) => ({ outcome, text: lines.join("\n") }));
}

async function resultOf(bench: Bench): Promise<StoredResult> {
  const { outcome } = await runIn(bench);
  if (outcome.state !== "done") throw new Error(`the bench was ${outcome.state}`);
  return outcome.result;
}

describe("running a benchmark", () => {
  it("prints value, provenance, limit and notes, and says what it was measured on", async () => {
    const { outcome, text } = await runIn(benchOf());
    expect(text).toContain("store/transactions: how fast");
    expect(text).toMatch(/ratio +2 x +measured +nothing to compare with +at most 3: kept/);
    expect(text).toContain("note: on one disk");
    expect(outcome).toMatchObject({
      state: "done",
      broken: [],
      result: {
        bench: "store/transactions",
        at: "2026-01-31T00:00:00.000Z",
        commit: "abc1234",
        machine,
      },
    });
  });

  it("names the limits that are broken", async () => {
    const { outcome, text } = await runIn(benchOf({}, { value: 4 }));
    expect(text).toContain("at most 3: BROKEN");
    expect(outcome).toMatchObject({ broken: ["ratio"] });
  });

  it("skips with the reason where the machine cannot run it", async () => {
    const run = () => Promise.reject(new Error("must not run"));
    const { outcome, text } = await runIn(benchOf({ requires: async () => "no cluster", run }));
    expect(text).toContain("skipped: no cluster");
    expect(outcome).toEqual({ state: "skipped", reason: "no cluster" });
  });

  it("runs where nothing is missing", async () => {
    const { outcome } = await runIn(benchOf({ requires: async () => undefined }));
    expect(outcome.state).toBe("done");
  });

  it("reports a benchmark that throws instead of throwing itself", async () => {
    const run = () => Promise.reject(new Error("the disk is gone"));
    const { outcome, text } = await runIn(benchOf({ run }));
    expect(outcome.state).toBe("failed");
    expect(text).toContain("the disk is gone");
  });

  it("compares with earlier results of the same kind of machine only", async () => {
    const before = await resultOf(benchOf({}, { value: 1 }));
    const elsewhere = { ...before, machine: { ...machine, cpu: "another" } };
    const compared = await runIn(benchOf(), { earlier: [before] });
    expect(compared.text).toContain("2.00x ▼ worse");
    const apart = await runIn(benchOf(), { earlier: [elsewhere] });
    expect(apart.text).toContain("nothing to compare with");
    const quick = await runIn(benchOf(), { earlier: [before], quick: true });
    expect(quick.text).toContain("nothing to compare with");
  });
});

describe("kept results", () => {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });

  function temporaryFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), "tessera-bench-"));
    folders.push(folder);
    return folder;
  }

  function hasGit(): boolean {
    try {
      execFileSync("git", ["--version"], { stdio: "ignore" });
      return true;
    } catch {
      return false;
    }
  }

  it("are named by day and benchmark", async () => {
    const path = keepResult(temporaryFolder(), await resultOf(benchOf()));
    expect(path).toBe("bench/results/2026-01-31-store-transactions.json");
  });

  it("outside a repository there are none to compare with", () => {
    expect(committedResults(temporaryFolder())).toEqual([]);
  });

  it.skipIf(!hasGit())("count when they are committed, oldest first (needs git)", async () => {
    const root = temporaryFolder();
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
        cwd: root,
        stdio: "ignore",
      });
    git("init");
    const result = await resultOf(benchOf());
    const older = { ...result, at: "2026-01-02T00:00:00.000Z" };
    keepResult(root, result);
    keepResult(root, older);
    git("add", ".");
    git("commit", "-m", "results");
    keepResult(root, { ...result, at: "2026-02-01T00:00:00.000Z" });
    expect(committedResults(root)).toEqual([older, result]);
  });

  it("say nothing about whose machine it was", async () => {
    const text = JSON.stringify({ ...(await resultOf(benchOf())), machine: describeMachine() });
    expect(text).not.toContain(tmpdir());
    expect(text).not.toContain(process.cwd());
    if (hostname().length > 5) expect(text).not.toContain(hostname());
  });
});
