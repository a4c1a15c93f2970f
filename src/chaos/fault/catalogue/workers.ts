import { z } from "zod";
import type { FaultEntry } from "./fault-entry.ts";
import { durationUs, noParams } from "./fields.ts";

/** Faults of what runs on the machines: processes, nodes, and whoever takes them away. */
export const workerFaults = {
  drop_rank: {
    family: "worker",
    name: "drop_rank",
    title: "A rank ends and its place stays empty",
    params: noParams,
    targets: ["rank"],
    worlds: {
      sim: "the worker ends and its slot is closed; the device is sound",
      host: "the worker's process is killed (SIGKILL) and its slot is closed",
      kubernetes: null,
      slurm: null,
    },
    ending: "lasting",
    undo: "the slot is opened again",
    evidence: "the exit of the worker, as its parent saw it",
    xids: [],
  },
  restart_worker: {
    family: "worker",
    name: "restart_worker",
    title: "A worker is killed and may be started again at once",
    params: z.strictObject({
      signal: z
        .enum(["SIGKILL", "SIGTERM"])
        .default("SIGKILL")
        .describe("SIGTERM lets the worker end by itself, SIGKILL does not"),
    }),
    targets: ["rank"],
    worlds: {
      sim: "the worker ends; its slot stays open",
      host: "the signal is sent to the worker's process",
      kubernetes: null,
      slurm: null,
    },
    ending: "instant",
    undo: null,
    evidence: "the exit of the worker, as its parent saw it",
    xids: [],
  },
  freeze_worker: {
    family: "worker",
    name: "freeze_worker",
    title: "A worker stands still, and does not know it",
    params: noParams,
    targets: ["rank"],
    worlds: {
      sim: "the worker computes, sends and receives nothing",
      host: "SIGSTOP; SIGCONT takes it back",
      kubernetes: null,
      slurm: null,
    },
    ending: "lasting",
    undo: "the worker goes on where it stood, unless it was killed meanwhile",
    evidence: "missed heartbeats, or a collective of its group that did not end in time",
    xids: [],
  },
  fail_node: {
    family: "worker",
    name: "fail_node",
    title: "A node is gone with all of its devices",
    params: noParams,
    targets: ["node", "kubernetes-node", "slurm-node"],
    worlds: {
      sim: "all devices of the node are dead, all workers on it end, its links carry nothing",
      host: "all workers of the node are killed (SIGKILL) and their slots are closed",
      kubernetes:
        "a hook of the installation stops the kubelet; without one the world refuses the plan",
      slurm:
        "the node is drained and set DOWN, which ends what runs there; it takes no job until the end",
    },
    ending: "lasting",
    undo: "the node is back, empty",
    evidence:
      "the exits of its workers, as their parent saw them; a node that Kubernetes calls not ready, or that Slurm shows without the job",
    xids: [],
  },
  fail_stage: {
    family: "worker",
    name: "fail_stage",
    title: "One node of a pipeline fails: all ranks of a stage, or some of them",
    params: noParams,
    targets: ["rank", "group", "node"],
    worlds: {
      sim: "the workers of the stage end and their slots are closed",
      host: "the workers of the stage are killed (SIGKILL) together and their slots are closed",
      kubernetes: null,
      slurm: null,
    },
    ending: "lasting",
    undo: "the slots are opened again",
    evidence: "the exits of its workers, as their parent saw them",
    xids: [],
  },
  preempt: {
    family: "worker",
    name: "preempt",
    title: "Somebody needs the machines: a notice, then they are taken",
    params: z.strictObject({
      graceUs: durationUs(30_000_000, "time between the notice and the end"),
    }),
    targets: ["rank", "node"],
    worlds: {
      sim: "the job gets the notice; after the grace whoever is still there is killed",
      host: "SIGTERM as the notice; after the grace SIGKILL",
      kubernetes: null,
      slurm: null,
    },
    ending: "lasting",
    undo: "the slots are opened again",
    evidence: "the exits of the workers, as their parent saw them",
    xids: [],
  },
} as const satisfies Readonly<Record<string, FaultEntry>>;
