import { expandHostlist } from "../hostlist.ts";
import { readField } from "../shape-error.ts";
import type { SlurmJob } from "../words.ts";

/** The name comes last: it may hold anything. */
export const plannedArgs = [
  ...["--all", "--noheader", "--states=PENDING"],
  "--format=%Y|%i|%u|%j",
] as const;

const linePattern = /^([^|]*)\|(\d+)[^|]*\|([^|]*)\|(.*)$/;
const nowhere: ReadonlySet<string> = new Set(["", "(null)", "N/A", "n/a"]);

/** Those of the waiting jobs that are to start on nodes that are told: number, user, name and nodes. */
export function plannedOfText(printed: string): readonly SlurmJob[] {
  return printed.split("\n").flatMap((line) => {
    const [, where = "", id = "", user = "", name = ""] = linePattern.exec(line) ?? [];
    if (id === "" || nowhere.has(where.trim())) return [];
    const plannedNodes = readField("SCHEDNODES", () => expandHostlist(where.trim()));
    return [{ ...untold, id: Number(id), user: user.trim(), name: name.trimEnd(), plannedNodes }];
  });
}

/** A job of which a line tells nothing yet. */
export const untold: SlurmJob = {
  id: 0,
  arrayJobId: undefined,
  arrayTaskId: undefined,
  name: "",
  user: "",
  state: "PENDING",
  flags: [],
  partition: "",
  qos: "",
  account: "",
  reservation: "",
  nodes: [],
  requestedNodes: [],
  plannedNodes: [],
  reason: "",
  comment: "",
  submittedAtMs: 0,
  startedAtMs: undefined,
  endedAtMs: undefined,
  preemptedAtMs: undefined,
  exitCode: undefined,
  exitSignal: undefined,
  restarts: 0,
};
