import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadExperiment, runExperiment } from "../../src/chaos/experiment/index.ts";
import { createHostWorld } from "../../src/chaos/host/index.ts";
import { whyNoNamespaces } from "../../src/chaos/host/namespaces/index.ts";
import type { RunRecord } from "../../src/chaos/record/index.ts";
import { createSimWorld } from "../../src/chaos/sim/index.ts";
import type { World } from "../../src/chaos/world.ts";
import { Semaphore } from "../../src/platform/concurrency/index.ts";
import { clock, hostProgram } from "../chaos/host/support/host-program.ts";
import { broken, folder, may, must } from "./lib/chaos-examples.ts";

const program = hostProgram();
/** A run has four processes or six, and most of its time it waits. */
const atOnce = new Semaphore({ permits: 2 });
const limitMs = 300_000;
const noNamespaces = await whyNoNamespaces({ clock });

/** Real processes. Jobs that are the same without their faults have one run without them. */
function hostWorld(): World {
  const real = createHostWorld({
    command: [process.execPath, program.path()],
    clock,
    env: { PATH: process.env["PATH"] },
    folder: join(program.folder(), "state"),
  });
  return {
    ...real,
    run: (plan, options) => {
      const begin = () => atOnce.run(() => real.run(plan, options));
      if (plan.faults.length > 0) return begin();
      const key = JSON.stringify([plan.workload, plan.fleet, plan.timeouts, plan.defects]);
      const record = baselines.get(key) ?? begin();
      baselines.set(key, record);
      return record;
    },
  };
}
const baselines = new Map<string, Promise<RunRecord>>();

async function run(name: string, world: World) {
  const { record, baseline, judgement } = await runExperiment({
    experiment: await loadExperiment(join(folder, name)),
    world,
    clock,
    signal: new AbortController().signal,
  });
  const { outcome, findings } = judgement;
  const [first] = findings.filter((finding) => finding.outcome === "fail");
  return {
    reason: judgement.reason,
    record,
    /** What must not depend on the world. */
    verdict: {
      outcome,
      broken: first?.property,
      end: record.end,
      stateDigest: record.stateDigest,
      baselineDigest: baseline?.stateDigest,
      residualFaults: record.residualFaults,
      hadEffect: record.injections.map(({ effectUs }) => effectUs !== null),
    },
  };
}

describe.concurrent("examples/chaos on real processes", () => {
  test.each(may)(
    "%s passes, and ends with the state that it has simulated",
    { timeout: limitMs },
    async (name) => {
      const [simulated, real] = [await run(name, createSimWorld()), await run(name, hostWorld())];
      expect(real.verdict, real.reason).toEqual(simulated.verdict);
      expect(real.verdict.outcome).toBe("pass");
      expect(real.verdict.stateDigest).toMatch(/^sha256:/);
      expect(real.record.provenance).toBe("measured");
    },
  );

  test.each(must)(
    "%s fails for the reason that it names, as simulated",
    { timeout: limitMs },
    async (name) => {
      const [simulated, real] = [await run(name, createSimWorld()), await run(name, hostWorld())];
      expect(real.verdict, real.reason).toEqual(simulated.verdict);
      expect(real.verdict).toMatchObject({ outcome: "fail", broken: broken(name) });
    },
  );
});

if (noNamespaces !== undefined) {
  const title = `links that the kernel itself breaks (skipped: ${noNamespaces}; our proxy broke them)`;
  describe.skip(title, () => test("are not here", () => {}));
}
