import type { Timed } from "../timed.ts";
import {
  barrierBetween,
  copyBetween,
  flatHalvingDoubling,
  flatRing,
  flatTree,
  pairwise,
  passingBetween,
} from "./flat.ts";
import { hierarchical } from "./hierarchical.ts";
import type { ClusterGroup } from "./links.ts";

/** Every way to carry the collective out over several domains. */
export function waysInCluster(group: ClusterGroup): readonly Timed[] {
  const { op, perDomain } = group;
  switch (op) {
    case "all-reduce":
      return [
        flatRing(group, 2),
        flatTree(group),
        flatHalvingDoubling(group, 2),
        ...(perDomain > 1 ? [hierarchical(group, op)] : []),
      ];
    case "reduce-scatter":
    case "all-gather":
      return [
        flatRing(group, 1),
        flatHalvingDoubling(group, 1),
        ...(perDomain > 1 ? [hierarchical(group, op)] : []),
      ];
    case "all-to-all":
    case "gather":
    case "scatter":
      return [pairwise(group)];
    case "broadcast":
    case "reduce":
      return passingBetween(group);
    case "send-recv":
    case "permute":
      return [copyBetween(group)];
    case "barrier":
      return [barrierBetween(group)];
    case "hierarchical-all-reduce":
      return [
        perDomain > 1
          ? hierarchical(group, "all-reduce")
          : { ...flatRing(group, 2), algorithm: "hierarchical" },
      ];
  }
}
