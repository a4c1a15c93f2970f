import { parseExit } from "../exit-status.ts";
import { expandHostlist } from "../hostlist.ts";
import { parseJobState } from "../states.ts";
import { parseTimeMs } from "../times.ts";
import type { SlurmJobEnd } from "../words.ts";

// Name and folder are the users' own words: what stands around them is matched, not what is in them.
const linePattern =
  /^JobId=(\d+) UserId=(\S*?)(?:\(\d+\))? GroupId=\S* Name=(.*?) JobState=(\S+) Partition=\S* TimeLimit=\S* StartTime=(\S*) EndTime=(\S*) NodeList=(\S*) NodeCnt=/;
const arrayPattern = / ArrayJobId=(\d+) ArrayTaskId=(\d+)(?= |$)/;
const exitPattern = / ExitCode=(\d+:\d+)\s*$/;

/**
 * A line of the file that jobcomp/filetxt writes; undefined for one that is cut off or not of that
 * kind. Its times are the controller's local ones.
 */
export function endOfLine(line: string): SlurmJobEnd | undefined {
  const match = linePattern.exec(line);
  if (match === null) return undefined;
  const [, id = "", user = "", name = "", state = "", start = "", end = "", nodes = ""] = match;
  const [, arrayId, taskId] = arrayPattern.exec(line) ?? [];
  const [, exit] = exitPattern.exec(line) ?? [];
  try {
    const endedAtMs = parseTimeMs(end, "local");
    if (endedAtMs === undefined) return undefined;
    return {
      // As accounting writes it.
      id: arrayId === undefined ? id : `${arrayId}_${taskId}`,
      name,
      user,
      state: endState(state),
      nodes: expandHostlist(nodes),
      startedAtMs: parseTimeMs(start, "local"),
      endedAtMs,
      ...(exit === undefined ? { exitCode: undefined, exitSignal: undefined } : parseExit(exit)),
    };
  } catch {
    return undefined;
  }
}

/** Of a job that is put back it writes the state that it goes on with. */
function endState(text: string): string {
  const { state } = parseJobState([text]);
  return state === "PENDING" ? "REQUEUED" : state;
}
