import { expandHostlist } from "../hostlist.ts";
import { FieldProblem, readField } from "../shape-error.ts";
import { parseJobState } from "../states.ts";
import type { SlurmJob } from "../words.ts";
import { untold } from "./planned.ts";

/** States with which a job holds nodes; of those that ended, the ones that did not wholly let go. */
export const holdingStates = "--states=CONFIGURING,RUNNING,SUSPENDED,COMPLETING";

/** The name comes last: it may hold anything. */
export const holdingArgs = [
  ...["--all", "--noheader", holdingStates],
  "--format=%N|%T|%A|%F|%K|%u|%j",
] as const;

const linePattern = /^([^|]*)\|([A-Z_]+)\|(\d+)\|(\d+)\|([^|]*)\|([^|]*)\|(.*)$/;

/**
 * The jobs that hold nodes: number, task, state, user, name and nodes.
 *
 * @throws FieldProblem
 */
export function holdingOfText(printed: string): readonly SlurmJob[] {
  return printed.split("\n").flatMap((line, at) => {
    const found = linePattern.exec(line);
    if (found !== null) return [jobOf(found)];
    // Later ones are the rest of a name with a line end in it, which must not hide all other jobs.
    if (at === 0 && line !== "") throw new FieldProblem("jobs", "the first line is none of a job");
    return [];
  });
}

function jobOf(found: RegExpExecArray): SlurmJob {
  const [, where = "", state = "", id, array, task = "", user = "", name = ""] = found;
  const isTask = /^\d+$/.test(task);
  return {
    ...untold,
    ...parseJobState([state]),
    id: Number(id),
    arrayJobId: isTask ? Number(array) : undefined,
    arrayTaskId: isTask ? Number(task) : undefined,
    user: user.trim(),
    name: name.trimEnd(),
    nodes: readField("NODELIST", () => expandHostlist(where)),
  };
}
