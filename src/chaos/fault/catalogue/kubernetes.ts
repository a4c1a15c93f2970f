import { z } from "zod";
import type { FaultEntry } from "./fault-entry.ts";
import { noParams, share, whole } from "./fields.ts";

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
    worlds: {
      sim: null,
      host: null,
      kubernetes: "DELETE or eviction of the pod with this grace",
      slurm: null,
    },
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
    worlds: {
      sim: null,
      host: null,
      kubernetes: "spec.unschedulable of the node",
      slurm: null,
    },
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
      slurm: null,
    },
    ending: "lasting",
    undo: "the policy, found by the label of its run, is deleted",
    evidence: "a probe from or to the pod that no longer gets through",
    xids: [],
  },
  gpu_xid: {
    family: "kubernetes",
    name: "gpu_xid",
    title: "The kernel log of a node says that a GPU has failed (XID)",
    params: z.strictObject({
      xid: whole(79, "the number; `tessera xid explain` lists them", { min: 1, max: 1000 }),
      gpu: whole(0, "which GPU of the node", { max: 1023 }),
      sequence: z
        .string()
        .max(40)
        .default("")
        .describe("a sequence of lines in place of the one number: 79-154, 48-63, 95-45"),
      allowRealReboot: z
        .boolean()
        .default(false)
        .describe("true: a detector that would really restart the machine may do so"),
    }),
    targets: ["kubernetes-node"],
    worlds: {
      sim: null,
      host: null,
      kubernetes: "the node's agent writes the line; `tessera fault-api` guards and undoes it",
      slurm: null,
    },
    ending: "lasting",
    undo: "what detectors did to the node because of the line is put back; the line stays",
    evidence: "a detector's condition, mark or cordon on the node",
    xids: [],
  },
  cuda_error: {
    family: "kubernetes",
    name: "cuda_error",
    title: "CUDA calls of a workload's pods on a node fail as after an XID",
    params: z.strictObject({
      xid: whole(79, "whose CUDA codes", { min: 1, max: 1000 }),
      workload: z
        .string()
        .max(300)
        .default("")
        .describe("whose pods, which have the shim in them already: `deployment/vllm`"),
      afterCalls: whole(0, "so many calls go well first"),
      probability: share(1, "of each call to fail"),
    }),
    targets: ["kubernetes-node"],
    worlds: {
      sim: null,
      host: null,
      kubernetes: "the node's agent arms the control block that the shim in the pods reads",
      slurm: null,
    },
    ending: "lasting",
    undo: "the control block is disarmed; it ends by itself if nobody is left to do so",
    evidence: "the control block as the node's agent has written it, and pods that fail",
    xids: [],
  },
} as const satisfies Readonly<Record<string, FaultEntry>>;
