import { describe, expect, test } from "vitest";
import { goldenAnswers } from "../../../src/validation/checks/host-compute/golden.ts";
import { createHostCompute } from "../../../src/validation/checks/host-compute/host-compute.ts";
import { executeCheck } from "../../../src/validation/checks/index.ts";
import { classifyRuns } from "../../../src/validation/classify/index.ts";
import type { RunResult } from "../../../src/validation/run.ts";
import { executionOf, host } from "./support.ts";

/** As short as it can be: warm-up and the fewest rounds. */
const shortest = { durationMs: 1 };

async function compute(golden = goldenAnswers) {
  const prepared = { check: createHostCompute(golden), options: shortest };
  const how = executionOf();
  return { ...(await executeCheck({ ...how, prepared })), lines: how.lines };
}

function verdictOn({ figures, hardFacts, outcome }: Omit<RunResult, "runId">) {
  const all = Object.entries(figures).map(
    ([name, figure]) => [name, { ...figure, samples: Float64Array.from(figure.samples) }] as const,
  );
  const [found] = classifyRuns([
    {
      node: "here",
      check: "host-compute",
      sku: "host",
      timestampMs: 0,
      completed: outcome === "completed",
      figures: new Map(all),
      hardFacts,
    },
  ]);
  return found;
}

describe("host-compute", () => {
  test("has the pinned bits here, and figures that let one machine be judged alone", async () => {
    const { result } = await compute();
    expect(result).toMatchObject({ outcome: "completed", hardFacts: [] });
    expect(result.facts).toMatchObject({ wrongAnswers: 0, threads: Math.min(32, host.cpus) });
    for (const [name, unit] of Object.entries(createHostCompute().figures)) {
      const figure = result.figures[name];
      expect(figure).toMatchObject({ unit, higherIsBetter: true });
      expect(figure?.samples.length).toBeGreaterThanOrEqual(5);
      expect(figure?.samples.every((sample) => sample > 0)).toBe(true);
    }
    expect(verdictOn(result)?.findings.map(({ rule }) => rule)).not.toContain("no-reference");
  });

  test("a wrong answer is a hard fact that names what was wrong, and fails the node", async () => {
    const [first = "", ...others] = goldenAnswers.products;
    const flipped = [first.replace(/.$/, (last) => (last === "0" ? "1" : "0")), ...others];
    const { result, lines } = await compute({ ...goldenAnswers, products: flipped });
    expect(result.outcome).toBe("completed");
    expect(result.hardFacts[0]).toBe(
      "wrong answer: matrix product 0 of round 1 has other bits than it must have",
    );
    expect(lines).toContain(result.hardFacts[0]);
    expect(verdictOn(result)?.verdict).toBe("fail");
  });

  test("wrong sums and wrong copies are found as well", async () => {
    const sums = goldenAnswers.sums.toReversed();
    const { result } = await compute({ ...goldenAnswers, sums, copy: "sha256:0" });
    expect(result.hardFacts[0]).toContain("exact sums of product 0");
    expect(result.hardFacts.at(-1)).toContain("copied memory");
    // The first ten are told, the number is a fact.
    expect(result.hardFacts.length).toBe(10);
    expect(result.facts["wrongAnswers"]).toBeGreaterThanOrEqual(10);
  });

  test("a machine with too little memory is told so beforehand", () => {
    const check = createHostCompute();
    expect(check.requirements(host).met).toBe(true);
    expect(check.requirements({ ...host, memoryBytes: 1000 })).toMatchObject({ met: false });
  });
});
