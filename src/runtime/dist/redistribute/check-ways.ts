import { requireDevices } from "../array/device-lost.ts";
import { linkCut } from "../array/link-cut.ts";
import type { Health } from "../health/index.ts";
import type { Mesh } from "../mesh/index.ts";
import { hopsOf } from "./hops.ts";
import type { RedistributePlan, RedistributeStep } from "./plan/plan-types.ts";
import { transfersOf } from "./plan/transfers.ts";

const op = "redistribute";

/**
 * Looks at the devices and links of every step before any is taken, so that a redistribution gives
 * all of its result or nothing. A copy to another mesh needs only the devices it reads and writes.
 *
 * @throws E_DEVICE_LOST, E_PARTITION, E_TIMEOUT, E_CUDA
 */
export function checkWays(plan: RedistributePlan, health: Health): void {
  if (health.empty) return;
  for (const step of plan.steps) {
    if (step.kind === "copy") checkCopy(plan, step, health);
    else checkStep(step, health);
  }
}

function checkStep({ kind, to, meshAxes }: RedistributeStep, health: Health): void {
  const { mesh } = to;
  const ranks = [...mesh.devices.keys()];
  requireDevices({ health, op, mesh, ranks, phase: kind, axes: meshAxes });
  if (!health.hasCuts || kind === "slice" || kind === "fill") return;
  for (const group of mesh.groups(meshAxes)) {
    for (const [fromRank, toRank] of hopsOf(kind, group)) {
      refuseCut({ mesh, rank: fromRank }, { mesh, rank: toRank }, kind, health);
    }
  }
}

function checkCopy({ shape }: RedistributePlan, step: RedistributeStep, health: Health): void {
  const { from, to, kind } = step;
  const isDead = health.isDead;
  for (const { fromRank, toRank, inPlace } of transfersOf({ shape, from, to, isDead })) {
    for (const [mesh, rank] of [
      [from.mesh, fromRank],
      [to.mesh, toRank],
    ] as const) {
      requireDevices({ health, op, mesh, ranks: [rank], phase: kind });
    }
    if (inPlace || !health.hasCuts) continue;
    refuseCut({ mesh: from.mesh, rank: fromRank }, { mesh: to.mesh, rank: toRank }, kind, health);
  }
}

interface End {
  readonly mesh: Mesh;
  readonly rank: number;
}

function refuseCut(sender: End, receiver: End, phase: string, health: Health): void {
  const from = sender.mesh.deviceOf(sender.rank);
  const to = receiver.mesh.deviceOf(receiver.rank);
  if (health.linkBetween(from, to, sender.mesh) === "up") return;
  throw linkCut({ health, op, phase, from: sender, to: receiver });
}
