// Another hash is another simulator: journals of before do not replay. When that is meant, write them anew:
//   npx vitest run --project unit test/chaos/sim/goldens.test.ts -u
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../../scripts/lib/repository.ts";
import { parseExperiment, resolveExperiment } from "../../../src/chaos/experiment/index.ts";
import { failureModels } from "../../../src/chaos/failure-model/index.ts";
import { simulateFleetJob } from "../../../src/chaos/sim/fleet/index.ts";
import { assemble, publishedJobs } from "../../../src/chaos/sim/fleet/study/index.ts";
import { createSimWorld } from "../../../src/chaos/sim/index.ts";
import { inline, never, runPart, simTrial } from "../campaign/lib/run-part.ts";

const monthUs = 30 * 86_400_000_000;
const campaignRuns = 20;
const examples = join(root, "examples", "chaos");

/** Every example that the simulator runs, with what came out. */
async function examplesRun(): Promise<readonly string[]> {
  const world = createSimWorld();
  const names = readdirSync(examples).filter((name) => name.endsWith(".yaml"));
  const lines: string[] = [];
  for (const name of names.toSorted()) {
    const experiment = parseExperiment(readFileSync(join(examples, name), "utf8"), name);
    const plan = resolveExperiment(experiment);
    if (world.refusals(plan).length > 0) continue;
    const { traceHash, stateDigest, end } = await world.run(plan, { signal: never });
    lines.push(`${name} ${end} ${traceHash} ${stateDigest}`);
  }
  return lines;
}

async function campaignRun(workers: number): Promise<readonly string[]> {
  const trial = simTrial();
  const crew = Array.from({ length: workers }, () => inline(trial));
  const { runs, canaries } = await runPart([0, campaignRuns], crew, { seed: "golden" });
  return [
    ...runs.map((one) => `run ${one.index} ${one.outcome} ${one.traceHash} ${one.stateDigest}`),
    ...canaries.map(({ defect, attempts, found }) => `${defect} ${attempts} ${found?.traceHash}`),
  ];
}

/** A month of 16,384 GPUs that fail as Llama 3's did. */
function fleetMonth(seed: string): readonly string[] {
  const { job } = assemble(publishedJobs.llama3);
  const model = failureModels.llama3;
  const month = simulateFleetJob({ model, job, seed, horizonUs: monthUs });
  const { traceHash, events, failures, steps, ettr } = month;
  // As text, a number has all its bits.
  return [`${traceHash} events ${events} failures ${failures} steps ${steps} ettr ${ettr}`];
}

async function expectGolden(name: string, lines: readonly string[]): Promise<void> {
  const file = join(import.meta.dirname, "goldens", `${name}.txt`);
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(file);
}

describe("on every version of Node", () => {
  it("each example has the trace and the state it always had", async () => {
    await expectGolden("examples", await examplesRun());
  });

  it.each([1, 2])("the first runs of a campaign are the same with %d workers", async (workers) => {
    await expectGolden("campaign", await campaignRun(workers));
  });

  it("a month of a fleet goes as it always did", async () => {
    await expectGolden("fleet-month", fleetMonth("golden"));
  });

  it("another seed makes another month: a golden can differ", () => {
    expect(fleetMonth("other")).not.toEqual(fleetMonth("golden"));
  });
});
