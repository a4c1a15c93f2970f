import type { SlurmJobsOptions } from "./client.ts";
import { choosesStatesInJson, jobSources, Listing } from "./listing.ts";
import { understood } from "./shape-error.ts";
import { holdingArgs, holdingOfText } from "./text/holding.ts";
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
    /**
     * Tens of thousands may wait, which as JSON are more than is read: a line of text each is enough to find
     * the few that count.
     */
    const lines = async (
      args: readonly string[],
      parse: (printed: string) => readonly SlurmJob[],
    ) => {
      const printed = await tools.run("squeue", args, call);
      return understood({ tool: "squeue", release: release.text }, () => parse(printed));
    };
    // In this order: what waits when it is asked for and then begins is seen when it holds its nodes.
    const planned = await lines(plannedArgs, plannedOfText);
    const holding = choosesStatesInJson(release)
      ? await listing.list(release, { ...call, choice: "holding" })
      : await lines(holdingArgs, holdingOfText);
    const held = new Set(holding.map(({ id }) => id));
    const others = [...planned.filter(({ id }) => !held.has(id)), ...holding];
    // The user's are asked for last and as a whole: what was open a moment ago may have ended.
    const own = await listing.list(release, { ...call, choice: { user } });
    return [...others.filter((job) => job.user !== user), ...own];
  };
}
