import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChaosPlan } from "../../../../src/chaos/plan/index.ts";
import { bundleProgram } from "../../../support/bundle-program.ts";
import { tempDir } from "../../../support/temp-dir.ts";
import { planOf, runPlan, smallJob, summary } from "./support/plans.ts";
import { randomPlan } from "./support/random-plans.ts";

const run = promisify(execFile);
const numbers = fc.nat(500);
/** More than are remembered at once: what was remembered of others is gone. */
const otherJobs = 20;

/** Runs plans, one after the other, and prints what came out of each. */
const program = `
import { readFileSync } from "node:fs";
import { runPlan, summary } from "./test/chaos/sim/job/support/plans.ts";
const found = [];
for (const plan of JSON.parse(readFileSync(process.argv[2], "utf8"))) {
  found.push(summary(await runPlan(plan)));
}
process.stdout.write(JSON.stringify(found));
`;

/** The same plans in a process of their own. */
async function elsewhere(folder: string, plans: readonly ChaosPlan[]): Promise<unknown> {
  const file = join(folder, "plans.json");
  await writeFile(file, JSON.stringify(plans));
  const { stdout } = await run(process.execPath, [join(folder, "run.mjs"), file]);
  return JSON.parse(stdout);
}

async function here(plans: readonly ChaosPlan[]): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const plan of plans) found.push(summary(await runPlan(plan)));
  return found;
}

/** Leaves other jobs, other states and other numbers behind in whatever a process keeps between runs. */
async function doOtherThings(n: number): Promise<void> {
  for (let seed = 0; seed < otherJobs; seed++) {
    const job = { ...smallJob, seed: `other ${n} ${seed}` };
    const steps = 2;
    const checkpoint = { everySteps: 0, keep: 1, asynchronous: false };
    await runPlan(planOf({ seed: `other ${seed}`, workload: { job, steps, checkpoint } }));
  }
}

describe("one plan with one seed", () => {
  it("has one trace, whatever else the process has done before", async () => {
    await fc.assert(
      fc.asyncProperty(numbers, async (n) => {
        const plan = randomPlan(n);
        const once = summary(await runPlan(plan));
        await doOtherThings(n);
        expect(summary(await runPlan(plan))).toEqual(once);
      }),
      { numRuns: 4 },
    );
  });

  it("has one trace, whichever plans it is run among and in which order", async () => {
    const own = fc.uniqueArray(numbers, { minLength: 4, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(own, async (some) => {
        const plans = some.map(randomPlan);
        const forwards = await here(plans);
        expect(await here(plans.toReversed())).toEqual(forwards.toReversed());
      }),
      { numRuns: 5 },
    );
  });

  it("has one trace in this process and in two others", async () => {
    const plans = [3, 7, 19, 42].map(randomPlan);
    const own = await here(plans);
    const folder = await tempDir();
    await bundleProgram(folder, "run", program);
    expect(await elsewhere(folder, plans)).toEqual(own);
    expect(await elsewhere(folder, plans.toReversed())).toEqual(own.toReversed());
  });

  it("has another trace with another seed", async () => {
    await fc.assert(
      fc.asyncProperty(numbers, async (n) => {
        const plan = randomPlan(n);
        const other = { ...plan, seed: `${plan.seed} and more` };
        expect((await runPlan(other)).traceHash).not.toBe((await runPlan(plan)).traceHash);
      }),
      { numRuns: 10 },
    );
  });
});
