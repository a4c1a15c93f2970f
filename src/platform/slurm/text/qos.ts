import { FieldProblem } from "../shape-error.ts";
import type { SlurmQos } from "../words.ts";

export const qosArgs = [
  ...["--parsable2", "--noheader", "--readonly", "show", "qos"],
  "format=Name,Preempt,PreemptMode",
] as const;

/** What sacctmgr printed for those arguments. */
export function qosOfSacctmgr(printed: string): readonly SlurmQos[] {
  const lines = printed.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line, at) => {
    const [name = "", preempts, preemptMode] = line.split("|");
    if (preempts === undefined || preemptMode === undefined) {
      throw new FieldProblem(`qos[${at}]`, "it has too few fields");
    }
    return {
      name,
      preempts: preempts.split(",").filter((word) => word !== ""),
      preemptMode: preemptMode.toUpperCase(),
    };
  });
}
