import { FieldProblem, readField } from "../shape-error.ts";
import { formatTime, parseTimeMs } from "../times.ts";
import type { SlurmNodeEvent } from "../words.ts";

/** The reason is last: it may hold the character between fields. */
const fields = ["NodeName", "State", "User", "TimeStart", "TimeEnd", "Reason"] as const;

export function eventArgs(sinceMs: number): readonly string[] {
  const words = [`start=${formatTime(sinceMs)}`, `format=${fields.join(",")}`];
  return ["--parsable2", "--noheader", "--readonly", "show", "event", ...words];
}

/** What sacctmgr printed for those arguments; what befell the whole cluster is left out. */
export function eventsOfSacctmgr(printed: string): readonly SlurmNodeEvent[] {
  const lines = printed.split("\n").filter((line) => line.split("|").length >= fields.length);
  if (lines.length === 0 && printed.trim() !== "") {
    throw new FieldProblem("events", "it is not the list that was asked for");
  }
  return lines.map(eventOf).filter((event) => event.node !== "");
}

function eventOf(line: string, at: number): SlurmNodeEvent {
  const [node = "", state = "", user = "", start = "", end = "", ...reason] = line.split("|");
  const path = `events[${at}]`;
  return {
    node,
    state: state.toUpperCase(),
    reason: reason.join("|"),
    user: user.replace(/\(\d+\)$/, ""),
    startAtMs: readField(`${path}.TimeStart`, () => parseTimeMs(start)) ?? 0,
    endAtMs: readField(`${path}.TimeEnd`, () => parseTimeMs(end)),
  };
}
