import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadExperiment, runExperiment } from "../../src/chaos/experiment/index.ts";
import { createSimWorld } from "../../src/chaos/sim/index.ts";
import { createRealClock } from "../../src/platform/time/index.ts";
import { broken, folder, may, must, twin } from "./lib/chaos-examples.ts";

async function run(name: string, seed?: string) {
  return runExperiment({
    experiment: await loadExperiment(join(folder, name)),
    resolve: { seed },
    world: createSimWorld(),
    clock: createRealClock(),
    signal: new AbortController().signal,
  });
}

describe("examples/chaos, simulated", () => {
  test("has the experiments of the guide, each with a twin that must fail", () => {
    expect(may).toEqual(
      expect.arrayContaining(
        [
          "kill-gpu",
          "latency",
          "ecc",
          "dropped-collectives",
          "partition-group",
          "fail-pipeline-node",
          "restart-dp-worker",
          "disk-full",
        ].map((name) => `${name}.yaml`),
      ),
    );
    expect(must).toEqual(may.map((name) => name.replace(".yaml", twin)).toSorted());
  });

  test.each(may)(
    "%s passes with the bits of the run without faults and nothing left broken",
    async (name) => {
      const { record, baseline, judgement } = await run(name);
      expect(judgement).toMatchObject({ outcome: "pass", signature: null });
      expect(record.stateDigest).toBe(baseline?.stateDigest);
      expect(record.residualFaults).toEqual([]);
      expect(record.injections.every(({ effectUs }) => effectUs !== null)).toBe(true);
      expect(record.traceHash).toBe((await run(name)).record.traceHash);
    },
  );

  test.each(must)("%s fails for the reason that it names", async (name) => {
    const { judgement } = await run(name);
    expect(judgement.outcome).toBe("fail");
    const first = judgement.findings.find(({ outcome }) => outcome === "fail");
    expect(first?.property).toBe(broken(name));
    expect(readFileSync(join(folder, name), "utf8")).toMatch(/^# Must fail: /);
  });

  test("the same final state for all of them: the mesh and what happened to it do not matter", async () => {
    const digests = new Set<string | null>();
    for (const name of may) digests.add((await run(name)).record.stateDigest);
    expect(digests.size).toBe(1);
  });

  test("pass with other seeds too, or prove nothing where chance brings no fault", async () => {
    for (const seed of ["1", "2", "4"]) {
      for (const name of may) {
        const { judgement } = await run(name, seed);
        const allowed = name === "dropped-collectives.yaml" ? ["pass", "inconclusive"] : ["pass"];
        expect(allowed, `${name} seed ${seed}: ${judgement.reason}`).toContain(judgement.outcome);
      }
    }
  });
});
