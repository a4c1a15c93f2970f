import { z } from "zod";
import type { FaultEntry } from "./fault-entry.ts";
import { factor, noParams } from "./fields.ts";

const workerDies = "the worker's process is killed and its slot is closed";
const reopens = "the slot is opened again";
const hardware = { family: "device", targets: ["rank"] } as const;

/** Faults of a GPU. A real GPU's way into the kernel log and into CUDA belongs to the hardware room. */
export const deviceFaults = {
  kill_device: {
    ...hardware,
    name: "kill_device",
    title: "A device is gone in the middle of its work",
    params: noParams,
    worlds: {
      sim: "the device is dead and the worker on it ends",
      host: `${workerDies} (SIGKILL)`,
      kubernetes: null,
      slurm: null,
    },
    ending: "lasting",
    undo: reopens,
    evidence: "the exit of the worker, as its parent saw it",
    xids: [],
  },
  off_bus: {
    ...hardware,
    name: "off_bus",
    title: "A device falls off the bus (XID 79)",
    params: noParams,
    worlds: {
      sim: "the device is dead; its worker gets a device error and ends",
      host: "the worker meets a device error at its next operation, ends, and its slot is closed",
      kubernetes: null,
      slurm: null,
    },
    ending: "lasting",
    undo: reopens,
    evidence: "a device error of the worker, or its exit",
    xids: [79],
  },
  ecc_error: {
    ...hardware,
    name: "ecc_error",
    title: "Memory of a device has an error that cannot be corrected (XID 48, 94, 95)",
    params: z.strictObject({
      xid: z
        .union([z.literal(48), z.literal(94), z.literal(95)])
        .default(48)
        .describe(
          "48: uncorrectable, the device is lost; 95: the same, not contained; 94: contained, only the operation that met it fails",
        ),
    }),
    worlds: {
      sim: "the next operation of the device fails; after 48 and 95 the device is dead",
      host: "the worker's next operation fails with a device error; after 48 and 95 its slot is closed",
      kubernetes: null,
      slurm: null,
    },
    ending: "lasting",
    undo: `${reopens}; after 94 there is nothing to take back`,
    evidence: "a device error of the worker that names the XID",
    xids: [48, 94, 95],
  },
  row_remap: {
    ...hardware,
    name: "row_remap",
    title: "A row of memory is taken out of use (XID 63), or cannot be (64)",
    params: z.strictObject({
      failed: z
        .boolean()
        .default(false)
        .describe("true: no spare row is left (64) and the device is lost; false: it goes on (63)"),
    }),
    worlds: {
      sim: "nothing changes for the job (63), or the device is dead (64)",
      host: "the worker reports it and goes on (63), or ends and its slot is closed (64)",
      kubernetes: null,
      slurm: null,
    },
    ending: "lasting",
    undo: `${reopens}; after 63 there is nothing to take back`,
    evidence: "the worker's own report of the XID",
    xids: [63, 64],
  },
  nvlink_error: {
    family: "device",
    targets: ["rank", "link"],
    name: "nvlink_error",
    title: "An NVLink of a device is down or slow (XID 74)",
    params: z.strictObject({
      state: z
        .enum(["down", "degraded"])
        .default("down")
        .describe("down: nothing gets through; degraded: it does, slower"),
      factor: factor(4, "how many times longer a transfer takes while it is degraded"),
    }),
    worlds: {
      sim: "links between the device and others of its node are cut or slowed",
      host: "the proxy between the worker and others of its node holds or slows what passes",
      kubernetes: null,
      slurm: null,
    },
    ending: "lasting",
    undo: "the links are as before",
    evidence: "an exchange inside the node that fails or takes longer than before",
    xids: [74],
  },
  gsp_error: {
    ...hardware,
    name: "gsp_error",
    title: "The system processor of a GPU does not answer (XID 119) or fails (120)",
    params: z.strictObject({
      xid: z
        .union([z.literal(119), z.literal(120)])
        .default(119)
        .describe("119: no answer in time, the device hangs; 120: an error, the device is lost"),
    }),
    worlds: {
      sim: "the device hangs (119) or is dead (120)",
      host: "the worker's next operation does not return (119), or fails and its slot is closed (120)",
      kubernetes: null,
      slurm: null,
    },
    ending: "lasting",
    undo: `the operation returns (119), or ${reopens} (120)`,
    evidence:
      "a collective of its group that did not end in time (119), or a device error of the worker (120)",
    xids: [119, 120],
  },
  hang_device: {
    ...hardware,
    name: "hang_device",
    title: "A device takes work and never finishes it (XID 43)",
    params: noParams,
    worlds: {
      sim: "the device takes orders and does not finish; its worker still sends heartbeats",
      host: "the worker's next operation does not return; its heartbeats go on",
      kubernetes: null,
      slurm: null,
    },
    ending: "lasting",
    undo: "the operation returns",
    evidence: "a collective of its group that did not end in time",
    xids: [43],
  },
} as const satisfies Readonly<Record<string, FaultEntry>>;
