import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { runPaths } from "../../../src/validation/collect/index.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { intentOf } from "../../validation/collect/support.ts";
import { runHere } from "../in-process.ts";

/** A job of one run, as Slurm starts it; its check refuses its options, which is a result too. */
async function jobOf(root: string, slurmJob: string) {
  const intent = intentOf({ check: "host-compute" });
  const env = {
    TESSERA_RUN_ID: intent.id,
    TESSERA_RUN_TOKEN: "token",
    TESSERA_NODE: intent.node,
    TESSERA_CHECK: intent.check,
    TESSERA_CLUSTER: intent.cluster,
    TESSERA_PLANNED_AT: String(Math.floor(intent.plannedAtMs / 1000)),
    TESSERA_RUN_TIMEOUT_MS: "60000",
    TESSERA_CHECK_OPTIONS: '{"unknown":1}',
    TESSERA_RESULT_DIR: root,
    SLURM_JOB_ID: slurmJob,
  };
  const { code, stderr } = await runHere(["check", "run"], { env });
  return { code, stderr, result: await readFile(runPaths(root, intent).result, "utf8") };
}

describe("two jobs of one run", () => {
  it("are one run: the second ends well, says so, and leaves the result as it is", async () => {
    const root = await tempDir();
    const first = await jobOf(root, "12");
    const second = await jobOf(root, "13");
    expect([first.code, second.code]).toEqual([0, 0]);
    expect(second.stderr).toContain("nothing to do: Slurm job 12 has this run");
    expect(second.result).toBe(first.result);
  });

  it("begin anew when it is the same job again, put back into the queue", async () => {
    const root = await tempDir();
    await jobOf(root, "12");
    const again = await jobOf(root, "12");
    expect(again.stderr).toContain("check host-compute on");
    expect(again.stderr).not.toContain("nothing to do");
  });
});
