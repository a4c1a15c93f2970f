export interface SlurmState {
  readonly state: string;
  readonly flags: readonly string[];
}

/** The characters that short forms of a node's state end with, by what they stand for. */
const suffixes: Readonly<Record<string, string>> = {
  "*": "NOT_RESPONDING",
  "~": "POWERED_DOWN",
  "#": "POWERING_UP",
  "!": "POWER_DOWN",
  "%": "POWERING_DOWN",
  $: "MAINTENANCE",
  "@": "REBOOT_REQUESTED",
  "^": "REBOOT_ISSUED",
  "-": "PLANNED",
  "+": "",
};

const baseStates = new Set([
  "UNKNOWN",
  "DOWN",
  "IDLE",
  "ALLOCATED",
  "ERROR",
  "MIXED",
  "FUTURE",
  "INVALID",
]);

/** Other releases' words, and short forms that say two things at once. */
const spellings: Readonly<Record<string, readonly string[]>> = {
  ALLOC: ["ALLOCATED"],
  MIX: ["MIXED"],
  UNK: ["UNKNOWN"],
  FUTR: ["FUTURE"],
  DRAINED: ["IDLE", "DRAIN"],
  DRAINING: ["ALLOCATED", "DRAIN"],
  DRNG: ["ALLOCATED", "DRAIN"],
  FAILING: ["ALLOCATED", "FAIL"],
  FAILG: ["ALLOCATED", "FAIL"],
  MAINT: ["MAINTENANCE"],
  RESV: ["RESERVED"],
  COMP: ["COMPLETING"],
  PLND: ["PLANNED"],
  NO_RESPOND: ["NOT_RESPONDING"],
  NOT_RESPOND: ["NOT_RESPONDING"],
  POWERED_OFF: ["POWERED_DOWN"],
  POWER_DRAIN: ["POWER_DRAIN"],
  RES: ["RESERVED"],
};

/**
 * Takes a node's state apart: `idle*`, `IDLE+DRAIN`, `["MIXED", "PLANNED"]`, `down` with its flags
 * beside it. A word that nobody knows stays a flag, so that it is seen and never taken for free.
 */
export function parseNodeState(words: readonly string[]): SlurmState {
  const all = words.flatMap(splitNodeWord);
  const state = all.find((word) => baseStates.has(word));
  const flags = new Set(all.filter((word) => word !== state));
  return { state: state ?? "UNKNOWN", flags: [...flags] };
}

function splitNodeWord(text: string): string[] {
  const [, stem = "", ends = ""] = /^(.*?)([*~#!%$@^+-]*)$/.exec(text.trim()) ?? [];
  const words = stem.split("+").filter((word) => word !== "");
  return [
    ...words.map((word) => word.toUpperCase()).flatMap((word) => spellings[word] ?? [word]),
    ...Array.from(ends, (end) => suffixes[end] ?? "").filter((flag) => flag !== ""),
  ];
}

const jobStates = new Set([
  "PENDING",
  "RUNNING",
  "SUSPENDED",
  "COMPLETED",
  "CANCELLED",
  "FAILED",
  "TIMEOUT",
  "NODE_FAIL",
  "PREEMPTED",
  "BOOT_FAIL",
  "DEADLINE",
  "OUT_OF_MEMORY",
]);

/** What a job with only a flag does at bottom: text tells the flag and leaves out the base. */
const under: Readonly<Record<string, string>> = {
  CONFIGURING: "RUNNING",
  COMPLETING: "RUNNING",
  RESIZING: "RUNNING",
  SIGNALING: "RUNNING",
  STAGE_OUT: "RUNNING",
  STOPPED: "RUNNING",
  REQUEUED: "PENDING",
  REQUEUE_FED: "PENDING",
  REQUEUE_HOLD: "PENDING",
  SPECIAL_EXIT: "PENDING",
  RESV_DEL_HOLD: "PENDING",
  // Of a federation: another cluster has it.
  REVOKED: "REVOKED",
  LAUNCH_FAILED: "LAUNCH_FAILED",
};

/** Takes a job's state apart: `RUNNING`, `CANCELLED by 0`, `["RUNNING", "COMPLETING"]`. */
export function parseJobState(words: readonly string[]): SlurmState {
  const all = words
    .flatMap((text) => text.trim().split(/[+,]/))
    .map((word) => word.trim().split(" ")[0] ?? "")
    .map((word) => word.toUpperCase())
    .filter((word) => word !== "");
  const base = all.find((word) => jobStates.has(word));
  const state = base ?? all.map((word) => under[word]).find((word) => word !== undefined);
  return { state: state ?? "UNKNOWN", flags: [...new Set(all.filter((word) => word !== base))] };
}
