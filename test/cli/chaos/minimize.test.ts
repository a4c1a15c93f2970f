import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { experimentText, planToExperiment } from "../../../src/chaos/experiment/index.ts";
import { journalText } from "../../../src/chaos/journal/index.ts";
import type { Minimised } from "../../../src/chaos/minimise/index.ts";
import type { ChaosPlan } from "../../../src/chaos/plan/index.ts";
import { simRun } from "../../chaos/journal/lib/sim-run.ts";
import { restart, smallPlan } from "../../chaos/journal/lib/small-plan.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { runChaos } from "./table.ts";

/** Several faults and a bug that one of them brings to light. */
const broken: ChaosPlan = {
  ...smallPlan([restart(3, 0), restart(6, 1), restart(10, 2)]),
  defects: ["cursorOffByOne"],
};

async function file(name: string, content: string): Promise<string> {
  const path = join(await tempDir(), name);
  await writeFile(path, content);
  return path;
}

const asFile = (plan: ChaosPlan): Promise<string> =>
  file("experiment.yaml", experimentText(planToExperiment(plan)));

describe("tessera chaos minimize", () => {
  it("writes an experiment that fails the same way with fewer faults", async () => {
    const out = join(await tempDir(), "small.yaml");
    const args = ["minimize", await asFile(broken), "--workers", "1"];
    const { code, stdout } = await runChaos(...args, "--out", out);
    expect(code).toBe(0);
    expect(stdout).toContain("3 faults became 1");
    expect(stdout).toContain(out);
    expect(await readFile(out, "utf8")).toMatch(/^# Made smaller in \d+ runs/);
    const before = await runChaos("run", args[1] ?? "", "--json");
    const after = await runChaos("run", out, "--json");
    expect([before.code, after.code]).toEqual([1, 1]);
  });

  it("prints the experiment, and nothing else, to stdout when no file is named", async () => {
    const path = await asFile(broken);
    const { stdout, stderr } = await runChaos("minimize", path, "--workers", "1");
    expect(stdout).toMatch(/^# Made smaller/);
    expect(stdout).toContain("cursorOffByOne");
    expect(stderr).toContain("Without any one of these faults");
  });

  it("takes a journal, and tells programs all that it tried", async () => {
    const { journal } = await simRun(broken);
    const path = await file("run.journal", journalText(journal));
    const { code, stdout } = await runChaos("minimize", path, "--workers", "1", "--json");
    const result = JSON.parse(stdout) as Minimised;
    expect(code).toBe(0);
    expect(result).toMatchObject({
      outcome: "minimised",
      isMinimal: true,
      signature: journal.judgement.signature,
    });
    expect(result.history).toHaveLength(result.runs);
  });

  it("has nothing to do where nothing fails", async () => {
    const { code, stdout, stderr } = await runChaos(
      "minimize",
      await asFile(smallPlan()),
      "--workers",
      "1",
    );
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
    expect(stderr).toContain("does not fail");
  });

  it.each(["2", "x", "-1"])("refuses --runs %s", async (runs) => {
    const { code, stderr } = await runChaos("minimize", "x.yaml", `--runs=${runs}`);
    expect(code).toBe(2);
    expect(stderr).toContain("--runs");
  });

  it("refuses a file that is no experiment", async () => {
    const { code, stderr } = await runChaos("minimize", await file("x.yaml", "titel: x\n"));
    expect(code).toBe(2);
    expect(stderr).toContain("E_EXPERIMENT");
  });
});
