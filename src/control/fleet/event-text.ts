import type { NodeEvent } from "../../validation/history/index.ts";

/** What happened to a node, in one sentence for people. */
export function eventText({ kind, details }: NodeEvent): string {
  const reason = text(details["reason"]);
  const actor = text(details["actor"]) || "Tessera";
  switch (kind) {
    case "free":
      return withReason("Free again", reason);
    case "busy":
      return withReason("Users took it", reason);
    case "crash":
      return `A job crashed on it${of(text(details["job"]))}`;
    case "kernel":
      return `The kernel reported XID ${text(details["xid"]) || "without a number"}`;
    case "repair":
      return withReason("It was repaired", reason);
    case "cordoned":
      return withReason(`Closed by ${actor}`, reason);
    case "released":
      return withReason(`Opened by ${actor}`, reason);
    case "override":
      return withReason(overrideText(details, text(details["actor"]) || "Somebody"), reason);
  }
}

function overrideText(details: NodeEvent["details"], actor: string): string {
  const check = text(details["check"]);
  switch (details["action"]) {
    case "hold":
      return `${actor} keeps it from users`;
    case "release":
      return `${actor} gave it back to users`;
    case "lapsed":
      return "A word to open it has lapsed";
    case "test":
      return `${actor} asked for a run of ${check || "every check"}`;
    default:
      return `${actor} said something about it`;
  }
}

function withReason(what: string, reason: string): string {
  return reason === "" ? `${what}.` : `${what}: ${reason}`;
}

function of(job: string): string {
  return job === "" ? "." : `: ${job}.`;
}

function text(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
