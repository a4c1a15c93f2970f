import assert from "node:assert/strict";
import { dtypeInfo } from "../../../tensor/dtype/index.ts";
import type { Block } from "../../array/block.ts";
import { corrupted } from "../../array/corrupt.ts";
import type { Corrupt, Health } from "../../health/index.ts";
import type { RedistributePlan, StepKind } from "../plan/plan-types.ts";
import { copy } from "./copy.ts";
import { exchange, gather, slice } from "./exchange.ts";
import { fill } from "./fill.ts";
import { Movement } from "./movement.ts";
import { allReduce, reduceScatter } from "./reduce.ts";
import type { StepWork } from "./step-work.ts";

/** What devices do wrong in silence, and what happens to the first step that moves bytes. */
export interface Wrongs {
  readonly health: Health;
  readonly more?: readonly Corrupt[];
}

/**
 * Carries out a plan on what the ranks hold, bit for bit. What a corrupt device hands to others is
 * changed as the health says.
 *
 * @returns what each rank of the target mesh holds then
 */
export function executePlan(
  plan: RedistributePlan,
  held: readonly Block[],
  { health, more = [] }: Wrongs,
): readonly Block[] {
  const { shape, dtype } = plan;
  let blocks = held;
  let pending = more;
  for (const step of plan.steps) {
    const { kind } = step;
    const { mesh } = step.from;
    const handed = isLocal(kind)
      ? blocks
      : blocks.map((block, rank) =>
          corrupted(block, {
            health,
            op: kind,
            device: mesh.deviceOf(rank),
            where: "contribution",
            more: pending,
          }),
        );
    if (!isLocal(kind)) pending = [];
    const movement = new Movement();
    blocks = carryOut({ step, shape, dtype, blocks: handed, movement }, health);
    const { bytesPerRank, totalBytes } = movement.bytes(dtypeInfo(dtype).bytes);
    assert(
      totalBytes === step.totalBytes && bytesPerRank === step.bytesPerRank,
      "a step moves the bytes that the plan says",
    );
  }
  return blocks;
}

function carryOut(work: StepWork, health: Health): Block[] {
  switch (work.step.kind) {
    case "all-gather":
      return gather(work);
    case "all-to-all":
      return exchange(work);
    case "slice":
      return slice(work);
    case "all-reduce":
      return allReduce(work);
    case "reduce-scatter":
      return reduceScatter(work);
    case "fill":
      return fill(work);
    case "copy":
      return copy(work, health.isDead);
  }
}

function isLocal(kind: StepKind): boolean {
  return kind === "slice" || kind === "fill";
}
