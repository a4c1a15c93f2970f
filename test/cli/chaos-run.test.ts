import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { createRun } from "../../src/cli/actions/chaos-run.ts";
import type { CommandSpec } from "../../src/cli/command-spec.ts";
import { chaosFaultsCommand } from "../../src/cli/commands/chaos-faults.ts";
import { chaosRunCommand } from "../../src/cli/commands/chaos-run.ts";
import { chaosSchemaCommand } from "../../src/cli/commands/chaos-schema.ts";
import { run } from "../../src/cli/run.ts";
import { TesseraError } from "../../src/platform/errors/index.ts";
import { VirtualClock } from "../../src/platform/time/index.ts";
import { fakeWorld } from "../chaos/experiment/fake-world.ts";
import { tempDir } from "../support/temp-dir.ts";
import { runHere } from "./in-process.ts";

const groups = { chaos: "break things on purpose" };
const table = { specs: [chaosRunCommand, chaosSchemaCommand, chaosFaultsCommand], groups };
const examples = join(import.meta.dirname, "../../examples/chaos");
const chaos = (...argv: readonly string[]) => runHere(["chaos", ...argv], { table });
const example = (name: string, ...argv: readonly string[]) =>
  chaos("run", join(examples, name), ...argv);

async function json(name: string, ...argv: readonly string[]) {
  const { code, stdout, stderr } = await example(name, ...argv, "--json");
  expect(stderr).toBe("");
  return { code, document: JSON.parse(stdout) as Record<string, unknown> };
}

describe("tessera chaos run", () => {
  test("says the verdict first, then what happened and how good it was, each figure with its kind", async () => {
    const { code, stdout, stderr } = await example("kill-gpu.yaml");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(
      /^PASS {2}Kill a GPU in the middle of a job\nRecovered from kill_device on rank 1/,
    );
    expect(stdout).toMatch(/world +sim \(simulated\), seed 0\n/);
    expect(stdout).toMatch(/TIMELINE \(simulated time/);
    expect(stdout).toMatch(/! kill_device on rank 1, effect: /);
    expect(stdout).toMatch(/noticed by exit \(rank 1\)/);
    expect(stdout).toMatch(/back at step 8 from step-000008/);
    expect(stdout).toMatch(/RECOVERIES \(simulated/);
    expect(stdout).toMatch(/METRICS \(simulated\)/);
    // A low share is explained by where the rest went.
    expect(stdout).toMatch(/ETTR +0\.\d+ +steps that stayed; of [\d.]+ m?s in all, \d+ % recovery/);
    expect(stdout).toMatch(/residual +no fault is left/);
    expect(stdout).toMatch(/pass +state-equal/);
  });

  test("gives programs the agreed keys, with times in seconds", async () => {
    const { code, document } = await json("kill-gpu.yaml");
    expect(code).toBe(0);
    expect(document).toMatchObject({
      outcome: "pass",
      reason: expect.any(String),
      world: "sim",
      source: "simulated",
      seed: "0",
      traceHash: expect.stringMatching(/^[0-9a-f]{16}$/),
      stateDigest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      baselineDigest: document["stateDigest"],
      residualFaults: [],
      faults: [
        {
          name: "kill_device",
          target: "rank 1",
          injectedAt: expect.any(Number),
          effectAt: expect.any(Number),
          revertedAt: expect.any(Number),
        },
      ],
    });
    for (const key of [
      "throughputStability",
      "recoverySeconds",
      "rollbackSuccessRate",
      "memoryFragmentation",
      "deadlocks",
      "livelocks",
      "ettr",
      "goodput",
    ]) {
      expect(document["metrics"]).toHaveProperty(key);
    }
    const [fault] = document["faults"] as readonly {
      readonly injectedAt: number;
      readonly revertedAt: number;
    }[];
    // It was to last two seconds.
    expect((fault?.revertedAt ?? 0) - (fault?.injectedAt ?? 0)).toBeCloseTo(2, 3);
  });

  test("ends with 1 when it failed", async () => {
    const { code, document } = await json("kill-gpu-must-fail.yaml");
    expect(code).toBe(1);
    expect(document["outcome"]).toBe("fail");
    expect(document["stateDigest"]).not.toBe(document["baselineDigest"]);
  });

  test("ends with 3 when nothing was proven", async () => {
    const folder = await tempDir();
    const never = join(folder, "never.yaml");
    const text = await readFile(join(examples, "kill-gpu.yaml"), "utf8");
    await writeFile(never, text.replace("{ step: 12 }", "{ restore: 1 }"));
    const { code, stdout } = await chaos("run", never);
    expect(code).toBe(3);
    expect(stdout).toMatch(/^INCONCLUSIVE/);
    const { code: unpaired } = await example("latency.yaml", "--no-baseline");
    expect(unpaired).toBe(3);
  });

  test("ends with 2 when the file is wrong, is not there, or cannot be planned", async () => {
    const folder = await tempDir();
    const wrong = join(folder, "wrong.yaml");
    await writeFile(wrong, "title: x\nworkload: { kind: training, stesp: 3 }\n");
    const bad = await chaos("run", wrong);
    expect({ code: bad.code, stdout: bad.stdout }).toEqual({ code: 2, stdout: "" });
    expect(bad.stderr).toMatch(
      /^E_EXPERIMENT: .*wrong\.yaml is no experiment: unknown key `stesp`.*\(line 2:29\)/,
    );
    expect((await chaos("run", join(folder, "none.yaml"))).stderr).toMatch(/^E_FILE_READ/);
    await writeFile(
      wrong,
      "title: x\nworkload: { kind: training, steps: 3 }\nfaults: [{ fault: off_bus, target: { rank: 9 }, at: { step: 1 } }]\n",
    );
    const unplanned = await chaos("run", wrong);
    expect(unplanned.code).toBe(2);
    expect(unplanned.stderr).toMatch(/^E_PLAN: .*there is no rank 9/);
  });

  test("a seed repeats a run, and another one changes its trace and not its bits", async () => {
    const first = await json("dropped-collectives.yaml", "--seed", "5");
    expect(await json("dropped-collectives.yaml", "--seed", "5")).toEqual(first);
    const other = await json("dropped-collectives.yaml", "--seed", "8");
    expect(other.document["traceHash"]).not.toBe(first.document["traceHash"]);
    expect(other.document["stateDigest"]).toBe(first.document["stateDigest"]);
  });

  test("with --dry-run shows who is hit and what must come back, and starts nothing", async () => {
    const { code, stdout } = await example(
      "fail-pipeline-node.yaml",
      "--dry-run",
      "--world",
      "host",
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/^PLAN {2}Fail one node of a pipeline\n/);
    expect(stdout).toMatch(/world +host, seed 0/);
    expect(stdout).toMatch(/fail_node +fail_node +node 3 +at step 12 +to the end/);
    expect(stdout).toMatch(/claim +inside: it must recover/);
    expect(stdout).toMatch(/BLAST RADIUS: 1 hit at once/);
    expect(stdout).toMatch(
      /rank 3 restart, 4 ranks go back to a checkpoint; expected to end by shrink/,
    );
    expect(stdout).toMatch(/Nothing was started\.\n$/);
    const { document } = await json("fail-pipeline-node.yaml", "--dry-run");
    expect(document).toMatchObject({
      dryRun: true,
      plan: { format: "tessera-chaos-plan/1" },
      blastRadius: { atOnce: 1 },
    });
  });

  test("writes a page, JUnit, a journal, and appends to the summary of a build", async () => {
    const folder = await tempDir();
    const file = (name: string) => join(folder, name);
    await writeFile(file("summary.md"), "before\n");
    const argv = [
      "run",
      join(examples, "ecc.yaml"),
      "--html",
      file("run.html"),
      "--junit",
      file("run.xml"),
      "--journal",
      file("run.jsonl"),
      "--summary",
    ];
    const env = { GITHUB_STEP_SUMMARY: file("summary.md") };
    const { code, stderr } = await runHere(["chaos", ...argv], { table, env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(await readFile(file("run.html"), "utf8")).toMatch(/<svg/);
    expect(await readFile(file("run.xml"), "utf8")).toMatch(/<testcase[^>]*name="state-equal"/);
    expect(await readFile(file("run.jsonl"), "utf8")).toMatch(
      /^\{"journal":"tessera-chaos-journal\/1"/,
    );
    expect(await readFile(file("summary.md"), "utf8")).toMatch(
      /^before\n### .*An ECC error, and a spare takes over: pass/,
    );
  });

  test("refuses a summary that has no file to go to, before anything runs", async () => {
    const { code, stderr } = await example("ecc.yaml", "--summary");
    expect(code).toBe(2);
    expect(stderr).toMatch(/^E_USAGE: .*GITHUB_STEP_SUMMARY/);
  });

  test("with --quiet says the verdict and its reason alone", async () => {
    const { stdout } = await example("ecc.yaml", "--quiet");
    expect(stdout.trimEnd().split("\n")).toHaveLength(2);
  });
});

describe("tessera chaos run, interrupted", () => {
  test("tells what was done until then, proves nothing and ends with 130", async () => {
    const interrupt = new AbortController();
    const reason = new TesseraError("E_INTERRUPTED", { signal: "SIGINT" });
    const world = fakeWorld({
      during: async () => interrupt.abort(reason),
    });
    const spec: CommandSpec = {
      ...chaosRunCommand,
      load: async () => ({ run: createRun(async () => world) }),
    };
    const stdout = new PassThrough();
    const stderr = new PassThrough();
    const code = await run(["chaos", "run", join(examples, "latency.yaml"), "--json"], {
      io: { stdout, stderr, env: { HOME: "/nonexistent" }, cwd: "/" },
      clock: new VirtualClock(),
      signal: interrupt.signal,
      table: { specs: [spec], groups },
    });
    expect(code).toBe(130);
    const document = JSON.parse((stdout.read() as Buffer).toString()) as Record<string, unknown>;
    expect(document).toMatchObject({ outcome: "inconclusive", end: "aborted" });
  });
});

describe("tessera chaos schema", () => {
  test("prints the JSON Schema of experiments", async () => {
    const { code, stdout } = await chaos("schema");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      title: "Tessera chaos experiment",
      required: ["title", "workload"],
    });
  });
});

describe("tessera chaos faults", () => {
  test("lists all of them with what they hit and where", async () => {
    const { code, stdout } = await chaos("faults");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^FAULT +HITS +WORLDS +WHAT\n/);
    expect(stdout).toMatch(/^kill_pod +pod +kubernetes +A pod is deleted$/m);
    const { stdout: text } = await chaos("faults", "--json");
    const { faults } = JSON.parse(text) as {
      readonly faults: readonly { readonly name: string }[];
    };
    expect(faults.map(({ name }) => name)).toContain("kill_device");
  });

  test("explains one, and suggests one for a name that it does not know", async () => {
    const { stdout } = await chaos("faults", "ecc_error");
    expect(stdout).toMatch(/^ecc_error: Memory of a device has an error/);
    expect(stdout).toMatch(/xid +48: uncorrectable.*\(48\)/);
    expect(stdout).toMatch(/kubernetes +cannot do it/);
    const unknown = await chaos("faults", "ecc_eror");
    expect(unknown.code).not.toBe(0);
    expect(unknown.stderr).toMatch(/did you mean `ecc_error`/);
  });
});
