import type { FaultParams } from "../../../fault/catalogue/index.ts";
import type { Corruption } from "../../../numerics/index.ts";
import type { PlannedFault } from "../../../plan/index.ts";
import type { ApplyFault, FaultWorld } from "../fault-world.ts";
import type { CollectiveHit } from "../hits.ts";

/** The next exchanges of the targets: along the trigger's axis or the group's, else those of gradients. */
function hitNext(
  world: FaultWorld,
  fault: PlannedFault,
  hit: Pick<CollectiveHit, "what"> & { readonly count: number; readonly share?: number },
): () => void {
  const { context, hits } = world;
  const { trigger, targets, id } = fault;
  const group = targets.find((target) => target.kind === "group");
  const axis = trigger.kind === "collective" ? trigger.axis : (group?.axis ?? "dp");
  const { share = 1 } = hit;
  const chance = context.engine.chance.stream("collective", id);
  const aspect = hit.what.kind === "corrupt" ? "values" : "collective";
  context.effects.injected(fault, { aspect });
  hits.addCollective({
    fault: id,
    axis,
    slots: new Set(world.slotsOf(fault)),
    what: hit.what,
    left: hit.count,
    isHit: share === 1 ? () => true : () => chance.bernoulli(share),
  });
  return () => hits.remove(id);
}

export const dropCollective: ApplyFault = (world, fault) => {
  const { count, share } = fault.params as FaultParams<"drop_collective">;
  return hitNext(world, fault, { what: { kind: "drop" }, count, share });
};

export const collectiveTimeout: ApplyFault = (world, fault) =>
  hitNext(world, fault, { what: { kind: "drop" }, count: 1 });

export const delayCollective: ApplyFault = (world, fault) => {
  const { delayUs, count } = fault.params as FaultParams<"delay_collective">;
  return hitNext(world, fault, { what: { kind: "delay", us: delayUs }, count });
};

export const corruptCollective: ApplyFault = (world, fault) => {
  const { element, bit, count } = fault.params as FaultParams<"corrupt_collective">;
  const bits: Corruption = { first: element, stride: 0, count: 1, bit };
  return hitNext(world, fault, { what: { kind: "corrupt", bits }, count });
};

function hitValues(
  world: FaultWorld,
  fault: PlannedFault,
  hit: { readonly where: "gradient" | "parameter"; readonly bits: Corruption },
): null {
  const slots = world.slotsOf(fault);
  world.context.effects.injected(fault, { aspect: "values" });
  for (const slot of slots) {
    world.hits.addValue({
      fault: fault.id,
      key: `${fault.id} ${slot}`,
      slots: new Set([slot]),
      ...hit,
    });
  }
  return null;
}

export const bitFlip: ApplyFault = (world, fault) => {
  const { element, bit, where } = fault.params as FaultParams<"bit_flip">;
  return hitValues(world, fault, { where, bits: { first: element, stride: 0, count: 1, bit } });
};

export const notANumber: ApplyFault = (world, fault) => {
  const { element, where } = fault.params as FaultParams<"not_a_number">;
  const bits: Corruption = { first: element, stride: 0, count: 1, bit: "nan" };
  return hitValues(world, fault, { where, bits });
};

export const stridedCorruption: ApplyFault = (world, fault) => {
  const { element, stride, count, bit, where } = fault.params as FaultParams<"strided_corruption">;
  return hitValues(world, fault, { where, bits: { first: element, stride, count, bit } });
};
