import { faultCatalogue } from "../../../../../src/chaos/fault/catalogue/index.ts";
import { faultNames } from "../../../../../src/chaos/fault/fault-names.ts";
import {
  type ChaosPlan,
  failurePolicies,
  type PlannedFault,
  type Target,
  type Trigger,
} from "../../../../../src/chaos/plan/index.ts";
import { createRng } from "../../../../../src/platform/rng/index.ts";
import { faultOf, planOf, policy, workload } from "./plans.ts";

const shapes = [
  { dp: 4, tp: 1, pp: 1 },
  { dp: 2, tp: 2, pp: 1 },
  { dp: 2, tp: 1, pp: 2 },
  { dp: 3, tp: 2, pp: 2 },
  { dp: 1, tp: 2, pp: 2 },
] as const;

/** The n-th of many plans, with up to four faults of all kinds at all moments. */
export function randomPlan(n: number): ChaosPlan {
  const stream = createRng("random plans").stream("plan", n);
  let drawn = 0;
  const pick = (count: number): number => stream.at(drawn++) % count;
  const oneOf = <T>(list: readonly T[]): T => list[pick(list.length)] as T;
  const shape = oneOf(shapes);
  const ranks = shape.dp * shape.tp * shape.pp;
  const names = faultNames.filter((name) => faultCatalogue[name].worlds.sim !== null);
  const targetOf = (kind: string): Target => {
    const [one, other] = [pick(ranks), pick(ranks)];
    switch (kind) {
      case "node":
        return { kind, node: one >> 1 };
      case "cut":
        return {
          kind,
          sides: [[one], [other === one ? (one + 1) % ranks : other]],
          asymmetric: pick(2) === 1,
        };
      case "link":
        return { kind, from: one, to: (one + 1) % ranks };
      case "group":
        return { kind, axis: "dp", ranks: [one, (one + 1) % ranks] };
      case "storage":
        return { kind };
      default:
        return { kind: "rank", rank: one };
    }
  };
  const triggerOf = (): Trigger =>
    oneOf<Trigger>([
      { kind: "step", step: 1 + pick(24) },
      { kind: "time", atUs: pick(4_000_000) },
      { kind: "collective", axis: oneOf(["dp", "tp", "pp"]), nth: 1 + pick(30) },
      { kind: "checkpoint", nth: 1 + pick(3), phase: oneOf(["write", "commit"]) },
      { kind: "restore", nth: 1 + pick(2) },
    ]);
  const faults = Array.from({ length: pick(5) }, (_, at): PlannedFault => {
    const name = oneOf(names);
    const { targets, ending } = faultCatalogue[name];
    return faultOf(name, {
      id: `fault ${at}`,
      targets: [targetOf(oneOf(targets))],
      at: triggerOf(),
      forUs: ending === "instant" ? null : oneOf([200_000, 3_000_000, 12_000_000]),
    });
  });
  return planOf({
    seed: `random ${n}`,
    faults: faults.filter((fault) => fault.targets.every(({ kind }) => kind !== "kubernetes-node")),
    workload: {
      shape,
      checkpoint: { everySteps: oneOf([0, 4, 8]), keep: 1 + pick(3), asynchronous: pick(2) === 1 },
      policy: {
        ...policy,
        onFailure: oneOf(failurePolicies),
        resumeAfterUs: oneOf([null, 5_000_000]),
        compareEverySteps: oneOf([0, 4]),
        onPreempt: {
          ...workload.policy.onPreempt,
          action: oneOf(["checkpointThenExit", "partialFlushThenExit"]),
        },
      },
    },
    fleet: { nodes: Math.ceil(ranks / 2), spareNodes: pick(2) },
    durationUs: 300_000_000,
  });
}
