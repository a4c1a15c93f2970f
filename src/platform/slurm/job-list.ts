import type { SlurmCallOptions, SlurmJobsOptions } from "./client.ts";
import { jobSources, Listing } from "./listing.ts";
import { plannedArgs, plannedOfText } from "./text/planned.ts";
import type { SlurmTools } from "./tools/tools.ts";
import type { SlurmJob, SlurmRelease } from "./words.ts";

/** Asks for jobs; where several kinds of them are wanted, by one question if its answer holds all anyway. */
export function createJobList(
  tools: SlurmTools,
): (release: SlurmRelease, call: SlurmJobsOptions | undefined) => Promise<readonly SlurmJob[]> {
  const listing = new Listing(tools, jobSources);
  return async (release, call) => {
    const { choice } = call ?? {};
    if (typeof choice !== "object" || !("inUseAnd" in choice) || !listing.chooses(release)) {
      return await listing.list(release, call);
    }
    const user = choice.inUseAnd;
    // In this order: what waits when it is asked for and then begins is seen when it holds its nodes.
    const planned = await plannedJobs(tools, call);
    const holding = await listing.list(release, { ...call, choice: "holding" });
    const held = new Set(holding.map(({ id }) => id));
    const others = [...planned.filter(({ id }) => !held.has(id)), ...holding];
    // The user's are asked for last and as a whole: what was open a moment ago may have ended.
    const own = await listing.list(release, { ...call, choice: { user } });
    return [...others.filter((job) => job.user !== user), ...own];
  };
}

/**
 * The waiting jobs that the scheduler has a place for. Tens of thousands may wait, which as JSON are more
 * than is read: a line of text each is enough to find the few that count.
 */
async function plannedJobs(
  tools: SlurmTools,
  call: SlurmCallOptions | undefined,
): Promise<readonly SlurmJob[]> {
  return plannedOfText(await tools.run("squeue", plannedArgs, call));
}
