import { parseExit } from "../exit-status.ts";
import { expandHostlist } from "../hostlist.ts";
import { FieldProblem, readField } from "../shape-error.ts";
import { parseJobState } from "../states.ts";
import { formatTime, parseTimeMs } from "../times.ts";
import type { SlurmJobEnd } from "../words.ts";

/** A character that no name has: names may hold the usual `|`. */
const delimiter = "\u001f";
/** The name is last, so that whatever is in it shifts no other field. */
const fields = [
  "JobID",
  "User",
  "State",
  "NodeList",
  "Start",
  "End",
  "ExitCode",
  "JobName",
] as const;

/** Jobs of all users that ended since; each of a requeued job's lives by itself, steps left out. */
export function sacctArgs(sinceMs: number): readonly string[] {
  return [
    "--allusers",
    "--allocations",
    "--duplicates",
    "--noheader",
    "--parsable2",
    `--delimiter=${delimiter}`,
    `--starttime=${formatTime(sinceMs)}`,
    `--format=${fields.join(",")}`,
  ];
}

/** What sacct printed for those arguments; jobs that have not ended are left out. */
export function endsOfSacct(printed: string): readonly SlurmJobEnd[] {
  const lines = printed.split("\n").filter((line) => line.includes(delimiter));
  if (lines.length === 0 && printed.trim() !== "") {
    throw new FieldProblem("jobs", "it is not the list that was asked for");
  }
  return lines.map(endOf).filter((end) => end !== undefined);
}

function endOf(line: string, at: number): SlurmJobEnd | undefined {
  const [id, user, state, nodes, start, end, exit, ...name] = line.split(delimiter);
  const path = `jobs[${at}]`;
  if (id === undefined || exit === undefined) throw new FieldProblem(path, "it has too few fields");
  const endedAtMs = readField(`${path}.End`, () => parseTimeMs(end ?? ""));
  if (endedAtMs === undefined) return undefined;
  return {
    id,
    name: name.join(delimiter),
    user: user ?? "",
    state: endState(state ?? ""),
    nodes: readField(`${path}.NodeList`, () => expandHostlist(nodes ?? "")),
    startedAtMs: readField(`${path}.Start`, () => parseTimeMs(start ?? "")),
    endedAtMs,
    ...readField(`${path}.ExitCode`, () => parseExit(exit)),
  };
}

/** A life that ended because the job was put back says only that. */
function endState(text: string): string {
  const { state, flags } = parseJobState([text]);
  return flags.includes("REQUEUED") ? "REQUEUED" : state;
}
