import { checkLocals } from "../array/check-locals.ts";
import type { DistTensor } from "../array/index.ts";
import { dropped } from "../collectives/dropped.ts";
import { currentHealth } from "../health/index.ts";
import { checkWays } from "./check-ways.ts";
import { executePlan } from "./execute/execute-plan.ts";
import { planRedistribute, type RedistributeOptions } from "./plan/plan.ts";
import { recordSteps } from "./record-steps.ts";

/**
 * The same values in another layout, on another mesh, or both; bit for bit. `planRedistribute`
 * tells beforehand what it moves. A mesh without a dead device can be reached as long as living
 * devices hold every part.
 *
 * @throws E_REDISTRIBUTE when a split would have to become partial; E_DESYNC when ranks do not
 *   hold what the layout says; E_DEVICE_LOST, E_PARTITION, E_TIMEOUT, E_CUDA; the errors of layouts.
 */
export function redistribute(x: DistTensor, options: RedistributeOptions): DistTensor {
  const health = currentHealth();
  const plan = planRedistribute(x, options, { isDead: health.isDead });
  if (plan.steps.length === 0) return x;
  checkWays(plan, health);
  const moving = plan.steps.find(({ kind }) => kind !== "slice" && kind !== "fill");
  const fate = moving === undefined ? undefined : health.fateOf("redistribute");
  if (fate?.droppedAfterMs !== undefined) {
    fate.noteDropped();
    throw dropped({ op: "redistribute" }, moving?.kind ?? "copy", fate.droppedAfterMs);
  }
  const ranks = x.mesh.devices.map((_, rank) => rank);
  checkLocals(x, { op: "redistribute", ranks });
  const blocks = executePlan(
    plan,
    ranks.map((rank) => x.block(rank)),
    { health, more: fate?.corruptions ?? [] },
  );
  fate?.noteDelayed();
  recordSteps(plan, { health, delayUs: fate?.delayUs ?? 0 });
  const { shape, dtype } = x;
  const { mesh, layout } = plan.to;
  return x.remade({ mesh, layout, shape, dtype, locals: blocks.map((block) => block.tensor()) });
}
