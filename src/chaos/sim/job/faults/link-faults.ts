import type { FaultParams } from "../../../fault/catalogue/index.ts";
import type { PlannedFault, Target } from "../../../plan/index.ts";
import type { LinkEffect, LinkScope } from "../../network/index.ts";
import { type LinkMatch, matcherOf } from "../../network/scope.ts";
import type { ApplyFault, FaultWorld } from "../fault-world.ts";

/** Does something to all links of a fault's targets until it is taken back. */
function onLinks(
  world: FaultWorld,
  fault: PlannedFault,
  options: { readonly effect: LinkEffect; readonly scopes?: readonly LinkScope[] },
): () => void {
  const { network, machines, effects } = world.context;
  const scopes = options.scopes ?? fault.targets.flatMap((target) => scopesOf(world, target));
  const matchers = scopes.map((scope) => matcherOf(scope, machines.layout.slots));
  const matches: LinkMatch = (from, to) => matchers.some((match) => match(from, to));
  effects.injected(fault, { aspect: "links", matches });
  world.linksChanged(1);
  const handles = scopes.map((scope) => network.apply(scope, options.effect));
  return () => {
    for (const handle of handles) network.undo(handle);
    world.linksChanged(-1);
  };
}

function scopesOf({ context }: FaultWorld, target: Target): readonly LinkScope[] {
  switch (target.kind) {
    case "cut":
      return [
        {
          kind: "between",
          sides: target.sides,
          direction: target.asymmetric ? "forward" : "both",
        },
      ];
    case "link":
      return [{ kind: "link", from: target.from, to: target.to }];
    case "group":
      return [{ kind: "inside", ends: target.ranks }];
    case "rank":
      return [{ kind: "touching", ends: [target.rank] }];
    case "node":
      return [{ kind: "touching", ends: context.machines.layout.slotsOfNode(target.node) }];
    default:
      return [];
  }
}

export const partition: ApplyFault = (world, fault) =>
  onLinks(world, fault, { effect: { kind: "cut" } });

export const networkLatency: ApplyFault = (world, fault) => {
  const { latencyUs, jitterUs } = fault.params as FaultParams<"network_latency">;
  return onLinks(world, fault, { effect: { kind: "latency", extraUs: latencyUs, jitterUs } });
};

export const packetLoss: ApplyFault = (world, fault) => {
  const { share } = fault.params as FaultParams<"packet_loss">;
  return onLinks(world, fault, { effect: { kind: "loss", share } });
};

const usPerSecond = 1e6;

export const bandwidthCap: ApplyFault = (world, fault) => {
  const { bytesPerSecond } = fault.params as FaultParams<"bandwidth_cap">;
  const bytesPerUs = bytesPerSecond / usPerSecond;
  return onLinks(world, fault, { effect: { kind: "bandwidth", bytesPerUs } });
};

export const linkFlap: ApplyFault = (world, fault) => {
  const { downUs, upUs } = fault.params as FaultParams<"link_flap">;
  return onLinks(world, fault, { effect: { kind: "flap", downUs, upUs } });
};

/** Links between a device and the others of its node. */
export const nvlinkError: ApplyFault = (world, fault) => {
  const { state, factor } = fault.params as FaultParams<"nvlink_error">;
  const { machines, network } = world.context;
  const scopes = fault.targets.flatMap((target): readonly LinkScope[] => {
    if (target.kind === "link") {
      const { from, to } = target;
      return [
        { kind: "link", from, to },
        { kind: "link", from: to, to: from },
      ];
    }
    if (target.kind !== "rank") return [];
    const others = machines.layout.sharingFate(target.rank, "node");
    return others
      .filter((slot) => slot !== target.rank)
      .flatMap((slot) => [
        { kind: "link", from: target.rank, to: slot } as const,
        { kind: "link", from: slot, to: target.rank } as const,
      ]);
  });
  const [first] = scopes;
  const usual = first?.kind === "link" ? network.stateOf(first.from, first.to).bytesPerUs : 1;
  const effect: LinkEffect =
    state === "down" ? { kind: "cut" } : { kind: "bandwidth", bytesPerUs: usual / factor };
  return onLinks(world, fault, { effect, scopes });
};
