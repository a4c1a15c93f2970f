import { parseGres } from "../gres.ts";
import { atLeastOne } from "../shape-error.ts";
import { parseNodeState } from "../states.ts";
import { parseTimeMs } from "../times.ts";
import type { SlurmNode } from "../words.ts";
import { commaWords, readRecords, type TextRecord, wholeNumber } from "./records.ts";

/** The nodes of `scontrol -d show nodes`. */
export function nodesOfText(printed: string): readonly SlurmNode[] {
  return atLeastOne("nodes", readRecords(printed, "NodeName", "nodes").map(nodeOf));
}

function nodeOf(record: TextRecord): SlurmNode {
  const reason = splitReason(record.text("Reason"));
  return {
    name: record.need("NodeName", (text) => text),
    address: record.text("NodeAddr"),
    ...record.need("State", (text) => parseNodeState([text])),
    partitions: commaWords(record.text("Partitions")),
    features: commaWords(record.text("ActiveFeatures")),
    gres: record.may("Gres", parseGres) ?? [],
    gresUsed: (record.may("GresUsed", parseGres) ?? []).filter(({ count }) => count > 0),
    cpus: record.need("CPUTot", wholeNumber),
    cpusAllocated: record.may("CPUAlloc", wholeNumber) ?? 0,
    memoryMiB: record.need("RealMemory", wholeNumber),
    memoryAllocatedMiB: record.may("AllocMem", wholeNumber) ?? 0,
    ...reason,
    comment: record.text("Comment"),
    bootAtMs: record.may("BootTime", parseTimeMs),
    slurmdStartedAtMs: record.may("SlurmdStartTime", parseTimeMs),
  };
}

const reasonPattern = /^(.*?)\s*\[([^@\]]*)@(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d|Unknown)\]$/;

/** `gpu 3 is bad [alice@2026-11-16T21:37:26]`: what, who, when. */
function splitReason(text: string): Pick<SlurmNode, "reason" | "reasonBy" | "reasonAtMs"> {
  const [, reason, by, at] = reasonPattern.exec(text) ?? [];
  if (reason === undefined || by === undefined || at === undefined) {
    return { reason: text, reasonBy: "", reasonAtMs: undefined };
  }
  return { reason, reasonBy: by, reasonAtMs: parseTimeMs(at) };
}
