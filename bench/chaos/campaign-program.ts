import { createTrial, type Trial } from "../../src/chaos/journal/index.ts";
import { judge } from "../../src/chaos/judge/index.ts";
import { minimise } from "../../src/chaos/minimise/index.ts";
import type { ChaosPlan } from "../../src/chaos/plan/index.ts";
import { createSimWorld } from "../../src/chaos/sim/index.ts";
import { createRealClock } from "../../src/platform/time/real-clock.ts";
import { largePlan, tornAmongMany } from "./large-plans.ts";

const clock = createRealClock();
const { signal } = new AbortController();
const trial = createTrial({ world: createSimWorld(), judge });

/** `runs HALF COUNT`: every other run of so many; `minimise FAULTS`: a plan with so many faults. */
async function main([what, first, second]: readonly string[]): Promise<object> {
  const startedMs = clock.monotonicMs();
  if (what === "runs") {
    let [runs, passed, failed] = [0, 0, 0];
    for (let index = Number(first); index < Number(second); index += 2) {
      const { judgement } = await trial(largePlan(index), signal);
      runs++;
      if (judgement.outcome === "pass") passed++;
      if (judgement.outcome === "fail") failed++;
    }
    return { runs, passed, failed, cpuMs: cpuMs() };
  }
  const plan = tornAmongMany(Number(first));
  const result = await minimise(plan, failsHow(trial), { runsMax: 80 });
  const { outcome, isMinimal, runs } = result;
  const faults = result.plan.faults.map(({ fault }) => fault);
  const tookMs = clock.monotonicMs() - startedMs;
  return { outcome, isMinimal, runs, faults, tookMs, cpuMs: cpuMs() };
}

/** Of this process from its beginning. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function failsHow(run: Trial): (plan: ChaosPlan) => Promise<string | null> {
  return async (plan) => {
    const { judgement } = await run(plan, signal);
    return judgement.outcome === "fail" ? judgement.signature : null;
  };
}

process.stdout.write(JSON.stringify(await main(process.argv.slice(2))));
