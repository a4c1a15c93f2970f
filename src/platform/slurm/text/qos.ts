import { FieldProblem, readField } from "../shape-error.ts";
import { parseLimitMs } from "../times.ts";
import type { SlurmQos } from "../words.ts";

export const qosArgs = [
  ...["--parsable2", "--noheader", "--readonly", "show", "qos"],
  "format=Name,Preempt,PreemptMode,GraceTime,PreemptExemptTime",
] as const;

/** What sacctmgr printed for those arguments. */
export function qosOfSacctmgr(printed: string): readonly SlurmQos[] {
  const lines = printed.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line, at) => {
    const [name = "", preempts, preemptMode, grace, exempt] = line.split("|");
    if (preempts === undefined || preemptMode === undefined) {
      throw new FieldProblem(`qos[${at}]`, "it has too few fields");
    }
    return {
      name,
      preempts: preempts.split(",").filter((word) => word !== ""),
      preemptMode: preemptMode.toUpperCase(),
      graceMs: timeMs(`qos[${at}].GraceTime`, grace),
      exemptMs: timeMs(`qos[${at}].PreemptExemptTime`, exempt),
    };
  });
}

function timeMs(field: string, text: string | undefined): number | undefined {
  return text === undefined || text === "" ? undefined : readField(field, () => parseLimitMs(text));
}
