import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openStore } from "../../src/platform/store/index.ts";
import { createRealClock } from "../../src/platform/time/index.ts";
import { openHistory } from "../../src/validation/history/index.ts";
import { runCli } from "../support/built-cli.ts";
import { missing } from "../support/missing.ts";
import { tempDir } from "../support/temp-dir.ts";

const clock = createRealClock();
const mebibyte = 2 ** 20;

/** One pass of the loop over this machine with these checks; what it wrote down about each. */
async function validateOnce(checks: readonly Record<string, unknown>[], more: object = {}) {
  const folder = await tempDir();
  const clusters = [{ name: "here", kind: "local", limits: { cooldown: 0 } }];
  const config = join(folder, "tessera.yaml");
  await writeFile(
    config,
    JSON.stringify({ dataDir: folder, validation: { clusters, checks, ...more } }),
  );
  const args = ["validate", "--once", "--json", "--config", config];
  const { code, stderr } = await runCli(args, { limitMs: 110_000 });
  const store = await openStore({ url: `sqlite:${join(folder, "tessera.db")}`, clock });
  try {
    const runs = await openHistory(store).runs({ cluster: "here" });
    return { code, stderr, runs };
  } finally {
    await store.close();
  }
}

const noFio = missing("fio");

describe("the loop on this machine", () => {
  test.skipIf(noFio !== "")(`runs storage-io with a real fio${noFio}`, async () => {
    const directory = join(await tempDir(), "mount");
    await mkdir(directory);
    const options = {
      directory,
      sizeBytes: 4 * mebibyte,
      runtimeMs: 400,
      rampMs: 0,
      patterns: ["write", "read", "verify"],
      verifyBytes: mebibyte,
    };
    const { runs, stderr } = await validateOnce([{ name: "storage-io", options }]);
    expect(runs, stderr).toHaveLength(1);
    expect(runs[0]?.result).toMatchObject({ outcome: "completed", origin: "pod", hardFacts: [] });
    expect(runs[0]?.result?.figures["read_bw"]?.samples.length).toBeGreaterThan(0);
    expect(await readdir(directory)).toEqual([]);
  });

  test.skipIf(noFio !== "")(`fails a machine whose disk returns wrong data${noFio}`, async () => {
    const options = {
      directory: await tempDir(),
      patterns: ["verify"],
      verifyBytes: mebibyte,
      corrupt: {},
    };
    const { code, runs, stderr } = await validateOnce([{ name: "storage-io", options }]);
    expect(runs[0]?.verdict, stderr).toMatchObject({ verdict: "fail" });
    expect(runs[0]?.verdict?.reason).toContain("wrong data");
    expect(code).toBe(1);
  });

  test("runs dl-unit on its processors, on two of them so that they can vote", async () => {
    const options = { engine: "cpu", profile: "quick", scale: 0.25, iterations: 2 };
    const { runs, stderr } = await validateOnce([{ name: "dl-unit", options }]);
    expect(runs[0]?.result, stderr).toMatchObject({ outcome: "completed", hardFacts: [] });
    expect(runs[0]?.result?.facts).toMatchObject({ engine: "cpu", problems: 0 });
    expect(runs[0]?.result?.figures["scaled_step_ms"]?.samples.length).toBeGreaterThan(1);
  });

  test("fails a machine on which one of them computes something else", async () => {
    const corrupt = { gpu: 1, case: "gemm-f32", kind: "flip-bit" };
    const options = { engine: "cpu", profile: "quick", scale: 0.25, cases: ["gemm-f32"], corrupt };
    const { code, runs, stderr } = await validateOnce([{ name: "dl-unit", options }]);
    expect(runs[0]?.verdict, stderr).toMatchObject({ verdict: "fail" });
    expect(code).toBe(1);
  });

  test("runs the loop-back between processes over TCP", async () => {
    const options = { mode: "tcp", ranks: 2, sizesBytes: [8, mebibyte], iterations: 5 };
    const { runs, stderr } = await validateOnce([{ name: "nccl-loopback", options }]);
    expect(runs[0]?.result, stderr).toMatchObject({ outcome: "completed", hardFacts: [] });
    expect(runs[0]?.result?.figures["tcp_busbw"]?.samples.length).toBe(5);
  });

  test("runs a plug-in that its configuration lists", async () => {
    const folder = await tempDir();
    const program = ["/bin/sh", "-c", `echo '{"figures":{"rpm":[1,2,3,4,5]}}'`];
    await writeFile(
      join(folder, "tessera.check.yaml"),
      JSON.stringify({
        name: "fans",
        title: "Fans",
        command: program,
        figures: { rpm: { unit: "rpm", higherIsBetter: true } },
      }),
    );
    const { runs, stderr } = await validateOnce([{ name: "fans" }], { plugins: [folder] });
    expect(runs[0]?.result, stderr).toMatchObject({
      outcome: "completed",
      figures: { rpm: { samples: [1, 2, 3, 4, 5], unit: "rpm" } },
    });
  });
});
