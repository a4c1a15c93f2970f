import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { XMLParser } from "fast-xml-parser";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { runCli } from "../../support/built-cli.ts";
import { tempDir } from "../../support/temp-dir.ts";

const examples = join(import.meta.dirname, "../../../examples/chaos");
const passing = join(examples, "kill-gpu.yaml");
const failing = join(examples, "kill-gpu-must-fail.yaml");

/** The same job with a fault whose moment never comes. */
async function undecided(folder: string): Promise<string> {
  const file = join(folder, "never.yaml");
  const text = await readFile(passing, "utf8");
  await writeFile(file, text.replace("{ step: 12 }", "{ restore: 1 }"));
  return file;
}

const seconds = z.number().min(0).nullable();
const share = z.number().min(0).max(1).nullable();
const digest = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/)
  .nullable();
/** What was agreed on for programs; `strictObject` refuses anything else. */
const agreed = {
  outcome: z.enum(["pass", "fail", "inconclusive"]),
  reason: z.string().min(1),
  world: z.enum(["sim", "host", "kubernetes", "slurm"]),
  seed: z.string(),
  traceHash: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .nullable(),
  stateDigest: digest,
  baselineDigest: digest,
  residualFaults: z.array(z.unknown()),
};
const fault = {
  name: z.string(),
  target: z.string(),
  injectedAt: seconds,
  effectAt: seconds,
  revertedAt: seconds,
};
const metrics = {
  throughputStability: share,
  recoverySeconds: seconds,
  rollbackSuccessRate: share,
  memoryFragmentation: share,
  deadlocks: z.int().min(0),
  livelocks: z.int().min(0),
  ettr: share,
  goodput: z.number().min(0).nullable(),
};
const documentSchema = z.strictObject({
  ...agreed,
  faults: z.array(
    z.strictObject({
      ...fault,
      id: z.string(),
      effect: z.string().nullable(),
      ranks: z.array(z.int()),
    }),
  ),
  metrics: z.strictObject({ ...metrics, more: z.record(z.string(), z.number().nullable()) }),
  title: z.string(),
  source: z.enum(["simulated", "measured"]),
  recoveries: z.array(z.object({ path: z.string().nullable(), effectAt: seconds })),
  findings: z.array(
    z.strictObject({ property: z.string(), outcome: agreed.outcome, reason: z.string() }),
  ),
  signature: z.string().nullable(),
  claim: z.enum(["inside", "outside"]),
  end: z.string(),
  endedAt: seconds,
  notes: z.array(z.string()),
});

describe("tessera chaos run in a pipeline", () => {
  it("ends with 0, 1, 3 and 2 for pass, fail, nothing proven and a wrong file, and says the same in JSON", async () => {
    const folder = await tempDir();
    const wrong = join(folder, "wrong.yaml");
    await writeFile(wrong, "title: x\nworkload: { kind: trainning }\n");
    const cases = [
      [passing, 0, "pass"],
      [failing, 1, "fail"],
      [await undecided(folder), 3, "inconclusive"],
    ] as const;
    for (const [file, wanted, outcome] of cases) {
      const { code, stdout, stderr } = await runCli(["chaos", "run", file, "--json"]);
      expect({ code, stderr }).toEqual({ code: wanted, stderr: "" });
      expect(documentSchema.parse(JSON.parse(stdout)).outcome).toBe(outcome);
    }
    const { code, stdout, stderr } = await runCli(["chaos", "run", wrong, "--json"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^E_EXPERIMENT: .*must be one of training/);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: "E_EXPERIMENT" } });
  });

  it("prints every agreed key: without any one of them, or with one more, it is another document", async () => {
    const { stdout } = await runCli(["chaos", "run", passing, "--json"]);
    const printed = JSON.parse(stdout) as Record<string, unknown>;
    for (const key of [...Object.keys(agreed), "faults", "metrics"]) {
      const { [key]: _, ...rest } = printed;
      expect(documentSchema.safeParse(rest).success, `without ${key}`).toBe(false);
    }
    expect(documentSchema.safeParse({ ...printed, other: 1 }).success).toBe(false);
    const own = printed["metrics"] as Record<string, unknown>;
    for (const key of Object.keys(metrics)) {
      const { [key]: _, ...rest } = own;
      const without = { ...printed, metrics: rest };
      expect(documentSchema.safeParse(without).success, `without ${key}`).toBe(false);
    }
  });

  it("holds metrics to the bounds of --gate, and refuses a bound that it does not understand", async () => {
    const gate = (bounds: string) => runCli(["chaos", "run", passing, "--gate", bounds, "--quiet"]);
    const held = await gate("recoverySeconds <= 30, deadlocks <= 0, rollbackSuccessRate >= 1");
    expect(held).toMatchObject({ code: 0, stderr: "" });
    const broken = await gate("deadlocks <= 0, recoverySeconds <= 0.1");
    expect(broken.code).toBe(1);
    expect(broken.stdout).toMatch(/The metric recoverySeconds is .*; at most 0\.1 is wanted\./);
    // Of a job without requests nothing is known about their latency.
    expect((await gate("requestLatencyP99Seconds <= 1")).code).toBe(3);
    const unknown = await gate("recoverySecond <= 30");
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toMatch(
      /^E_USAGE: .*names no metric: recoverySecond \(did you mean `recoverySeconds`\?\)/,
    );
    expect((await gate("recoverySeconds < 30")).stderr).toMatch(/^E_USAGE: .*must be a bound/);
  });

  it("writes JUnit with a test case for each property: none failed, one failed, one left open", async () => {
    const folder = await tempDir();
    const junit = join(folder, "chaos.xml");
    const casesOf = async (file: string) => {
      await runCli(["chaos", "run", file, "--junit", junit, "--quiet"]);
      const parser = new XMLParser({
        ignoreAttributes: false,
        isArray: (name) => name.startsWith("test"),
      });
      const { testsuites } = parser.parse(await readFile(junit, "utf8"));
      const suites = testsuites[0].testsuite as readonly Record<string, unknown>[];
      return suites.flatMap((suite) => (suite["testcase"] ?? []) as Record<string, unknown>[]);
    };
    const named = (cases: readonly Record<string, unknown>[], kind: string) =>
      cases.filter((one) => kind in one).map((one) => one["@_name"]);
    const good = await casesOf(passing);
    expect(good.map((one) => one["@_name"])).toContain("residual-faults");
    expect(named(good, "failure")).toEqual([]);
    expect(named(good, "error")).toEqual([]);
    expect(named(await casesOf(failing), "failure")).toContain("state-equal");
    const open = await casesOf(await undecided(folder));
    expect(named(open, "failure")).toEqual([]);
    expect(named(open, "error")).toContain("effect");
  });

  it("appends to the summary of a build, whether it passed or failed, and not unless it is asked to", async () => {
    const folder = await tempDir();
    const summary = join(folder, "summary.md");
    const env = { GITHUB_STEP_SUMMARY: summary };
    await writeFile(summary, "before\n");
    await runCli(["chaos", "run", passing, "--quiet"], { env });
    expect(await readFile(summary, "utf8")).toBe("before\n");
    await runCli(["chaos", "run", passing, "--summary", "--quiet"], { env });
    await runCli(["chaos", "run", failing, "--summary", "--quiet"], { env });
    const text = await readFile(summary, "utf8");
    expect(text).toMatch(/^before\n### .*Kill a GPU in the middle of a job: pass\n/);
    expect(text).toMatch(/\n### .*: fail\n/);
    expect(text).toContain("| kill\\_device | rank 1 |");
    const { code, stderr } = await runCli(["chaos", "run", passing, "--summary"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^E_USAGE: .*GITHUB_STEP_SUMMARY/);
  });

  it("leaves a journal from which the run comes out the same, and a changed one is refused", async () => {
    const folder = await tempDir();
    const journal = join(folder, "run.jsonl");
    const { stdout } = await runCli(["chaos", "run", failing, "--journal", journal, "--json"]);
    const again = await runCli(["chaos", "replay", journal, "--json"]);
    expect(again.code).toBe(0);
    const { traceHash, stateDigest, outcome } = JSON.parse(stdout) as Record<string, unknown>;
    expect(JSON.parse(again.stdout)).toMatchObject({ same: true, traceHash, stateDigest, outcome });
    const text = await readFile(journal, "utf8");
    await writeFile(journal, text.replace('"kind":"step"', '"kind":"sleep"'));
    const refused = await runCli(["chaos", "replay", journal]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/^E_JOURNAL/);
  });
});
