import { readFile } from "node:fs/promises";
import { processesOfRun, type SeenProcess } from "../processes/index.ts";

/** A process of a job, with what tells it from the others. */
export interface JobProcess extends SeenProcess {
  readonly commandLine: string;
  /** What launchers such as torchrun put into RANK; null: nothing. */
  readonly rank: number | null;
}

/** The processes of a run whose command line fits, by rank; without ranks the oldest first. */
export async function workersOf(run: string, match: RegExp): Promise<readonly JobProcess[]> {
  const all = await Promise.all((await processesOfRun(run)).map(look));
  return orderWorkers(all.filter(({ commandLine }) => match.test(commandLine)));
}

/** Ranks count only where everybody has one and no two have the same. */
export function orderWorkers(workers: readonly JobProcess[]): readonly JobProcess[] {
  const ranks = new Set(workers.map(({ rank }) => rank));
  const areRanked = !ranks.has(null) && ranks.size === workers.length;
  return workers.toSorted((one, other) => {
    if (areRanked) return Number(one.rank) - Number(other.rank);
    return Number(one.startTicks) - Number(other.startTicks) || one.pid - other.pid;
  });
}

async function look(seen: SeenProcess): Promise<JobProcess> {
  const [commandLine, environment] = await Promise.all([
    readFile(`/proc/${seen.pid}/cmdline`, "utf8").catch(() => ""),
    readFile(`/proc/${seen.pid}/environ`, "latin1").catch(() => ""),
  ]);
  const rank = /(?:^|\0)RANK=(\d{1,6})(?:\0|$)/.exec(environment)?.[1];
  return {
    ...seen,
    commandLine: commandLine.replaceAll("\0", " ").trim(),
    rank: rank === undefined ? null : Number(rank),
  };
}
