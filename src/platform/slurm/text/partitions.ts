import { expandHostlist } from "../hostlist.ts";
import { parseLimitMs } from "../times.ts";
import type { SlurmPartition } from "../words.ts";
import { readRecords, wholeNumber } from "./records.ts";

/** The partitions of `scontrol show partitions`. */
export function partitionsOfText(printed: string): readonly SlurmPartition[] {
  return readRecords(printed, "PartitionName", "partitions").map((record) => ({
    name: record.need("PartitionName", (text) => text),
    nodes: record.need("Nodes", expandHostlist),
    state: record.need("State", (text) => text.toUpperCase()),
    priorityTier: record.may("PriorityTier", wholeNumber) ?? 1,
    preemptMode: record.text("PreemptMode").toUpperCase(),
    isDefault: record.text("Default") === "YES",
    maxTimeMs: record.may("MaxTime", parseLimitMs),
    graceMs: record.may("GraceTime", (text) => wholeNumber(text) * 1000),
  }));
}
