import { messageOf } from "../../errors/index.ts";
import type { SlurmCallOptions, SlurmClient, SlurmHistory } from "../client.ts";
import { understood } from "../shape-error.ts";
import type { SlurmTools } from "../tools/tools.ts";
import type { SlurmJobEnd } from "../words.ts";
import { endOfLine } from "./jobcomp.ts";
import { eventArgs, eventsOfSacctmgr } from "./node-events.ts";
import { readLinesBackwards } from "./read-backwards.ts";
import { endsOfSacct, sacctArgs } from "./sacct.ts";

const entriesMax = 10_000;
const jobcompBytesMax = 32 * 2 ** 20;
/** Lines are in the order in which jobs ended, but for those that ended at nearly the same time. */
const disorderMs = 10 * 60_000;

/** What was kept of ended jobs: from accounting, else from the file of completed jobs, else nothing. */
export function createHistory(parts: {
  readonly tools: SlurmTools;
  readonly release: SlurmClient["release"];
  readonly settings: SlurmClient["settings"];
}): SlurmClient["history"] {
  return async (sinceMs, options) => {
    const settings = await parts.settings(options);
    const storage = settings.accountingstoragetype ?? "none";
    if (storage.endsWith("/slurmdbd")) return fromAccounting(parts, sinceMs, options);
    const kind = settings.jobcomptype ?? "none";
    const path = settings.jobcomploc;
    if (kind.endsWith("/filetxt") && path !== undefined) return fromFile(path, sinceMs);
    return nothing(`it has no accounting (${storage}), and no text file of ended jobs (${kind})`);
  };
}

async function fromAccounting(
  parts: { readonly tools: SlurmTools; readonly release: SlurmClient["release"] },
  sinceMs: number,
  options: SlurmCallOptions | undefined,
): Promise<SlurmHistory> {
  const { tools, release } = parts;
  const origin = { release: (await release(options)).text };
  const ended = await tools.run("sacct", sacctArgs(sinceMs), options);
  const events = await tools.run("sacctmgr", eventArgs(sinceMs), options);
  const jobs = understood({ ...origin, tool: "sacct" }, () => endsOfSacct(ended));
  const nodeEvents = understood({ ...origin, tool: "sacctmgr show event" }, () =>
    eventsOfSacctmgr(events),
  );
  return {
    source: "accounting",
    // sacct also shows those that ended before and only began to be known after; they are not asked for.
    jobs: newest(jobs, (job) => job.endedAtMs).filter((job) => job.endedAtMs >= sinceMs),
    nodeEvents: newest(nodeEvents, (event) => event.startAtMs),
  };
}

async function fromFile(path: string, sinceMs: number): Promise<SlurmHistory> {
  const jobs: SlurmJobEnd[] = [];
  try {
    await readLinesBackwards(path, {
      bytesMax: jobcompBytesMax,
      take: (line) => {
        const job = endOfLine(line);
        if (job !== undefined && job.endedAtMs >= sinceMs) jobs.push(job);
        const old = job !== undefined && job.endedAtMs < sinceMs - disorderMs;
        return !old && jobs.length < entriesMax;
      },
    });
  } catch (error) {
    return nothing(`it has no accounting, and ${path} cannot be read here: ${messageOf(error)}`);
  }
  return { source: "jobcomp", jobs: newest(jobs, (job) => job.endedAtMs), nodeEvents: [] };
}

function nothing(problem: string): SlurmHistory {
  return { source: "none", problem, jobs: [], nodeEvents: [] };
}

/** The newest of them, as many as are handed out, oldest first. */
function newest<T>(entries: readonly T[], timeMs: (entry: T) => number): readonly T[] {
  return entries.toSorted((a, b) => timeMs(a) - timeMs(b)).slice(-entriesMax);
}
