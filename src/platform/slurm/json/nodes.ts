import { z } from "zod";
import { atLeastOne } from "../shape-error.ts";
import { parseNodeState } from "../states.ts";
import type { SlurmNode } from "../words.ts";
import { readList } from "./answer.ts";
import { gres, neededNumber, number, text, time, words } from "./shapes.ts";

const entry = z
  .object({
    name: z.string().min(1),
    address: text.default(""),
    state: z.union([z.string().min(1), z.array(z.string()).min(1)]),
    state_flags: words.optional(),
    partitions: words.default([]),
    features: words.default([]),
    active_features: words.optional(),
    gres: gres.default([]),
    gres_used: gres.default([]),
    cpus: neededNumber,
    alloc_cpus: number.optional(),
    real_memory: neededNumber,
    alloc_memory: number.optional(),
    reason: text.default(""),
    reason_set_by_user: text.default(""),
    reason_changed_at: time.optional(),
    comment: text.default(""),
    boot_time: time.optional(),
    slurmd_start_time: time.optional(),
  })
  .transform((node): SlurmNode => {
    const { state } = node;
    const states = typeof state === "string" ? [state] : state;
    return {
      name: node.name,
      address: node.address,
      ...parseNodeState([...states, ...(node.state_flags ?? [])]),
      partitions: node.partitions,
      features: node.active_features ?? node.features,
      gres: node.gres,
      gresUsed: node.gres_used.filter(({ count }) => count > 0),
      cpus: node.cpus,
      cpusAllocated: node.alloc_cpus ?? 0,
      memoryMiB: node.real_memory,
      memoryAllocatedMiB: node.alloc_memory ?? 0,
      reason: node.reason,
      reasonBy: node.reason === "" ? "" : node.reason_set_by_user,
      reasonAtMs: node.reason === "" ? undefined : node.reason_changed_at,
      comment: node.comment,
      bootAtMs: node.boot_time,
      slurmdStartedAtMs: node.slurmd_start_time,
    };
  });

/** The nodes in the JSON of sinfo (22.05) or scontrol (23.02 and newer). */
export function nodesOfJson(printed: string): readonly SlurmNode[] {
  return atLeastOne("nodes", readList(printed, "nodes", entry));
}
