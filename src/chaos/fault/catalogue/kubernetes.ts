import { z } from "zod";
import type { FaultEntry } from "./fault-entry.ts";
import { noParams, whole } from "./fields.ts";

/** Faults that only a cluster knows. */
export const kubernetesFaults = {
  kill_pod: {
    family: "kubernetes",
    name: "kill_pod",
    title: "A pod is deleted",
    params: z.strictObject({
      graceSeconds: whole(0, "given to its processes; 0 kills at once", { max: 3600 }),
      by: z
        .enum(["delete", "evict"])
        .default("delete")
        .describe("evict: asked for, so that a disruption budget may refuse it"),
    }),
    targets: ["pod"],
    worlds: { sim: null, host: null, kubernetes: "DELETE or eviction of the pod with this grace" },
    ending: "instant",
    undo: null,
    evidence: "a pod of this name with another uid, or none any more",
    xids: [],
  },
  cordon_node: {
    family: "kubernetes",
    name: "cordon_node",
    title: "A node takes no new pods",
    params: noParams,
    targets: ["kubernetes-node"],
    worlds: { sim: null, host: null, kubernetes: "spec.unschedulable of the node" },
    ending: "lasting",
    undo: "what the field was before; a node that was cordoned stays so",
    evidence: "the node as a fresh read shows it",
    xids: [],
  },
  network_policy: {
    family: "kubernetes",
    name: "network_policy",
    title: "Pods are cut off by a network policy",
    params: z.strictObject({
      direction: z
        .enum(["both", "ingress", "egress"])
        .default("both")
        .describe("what is denied, seen from the pods"),
    }),
    targets: ["pod"],
    worlds: {
      sim: null,
      host: null,
      kubernetes: "a NetworkPolicy that denies all; only where the cluster's network enforces them",
    },
    ending: "lasting",
    undo: "the policy, found by the label of its run, is deleted",
    evidence: "a probe from or to the pod that no longer gets through",
    xids: [],
  },
} as const satisfies Readonly<Record<string, FaultEntry>>;
