import type { Deed } from "../../live/index.ts";
import { idText, jobText } from "../pick-job.ts";
import { undoes } from "../undo.ts";
import type { DeedContext } from "./deed-context.ts";
import { runningJob } from "./running-job.ts";

/** Puts the job back into the queue, as an operator would. */
export async function requeueJob({ client, watch }: DeedContext): Promise<Deed> {
  const job = runningJob(await watch.lookAgain());
  return {
    target: jobText(job),
    undo: undoes.none(),
    act: async ({ dryRun }) => {
      if (!dryRun) await client.requeue(idText(job));
    },
    see: async () => {
      const { jobs } = await watch.look();
      const now = jobs.find(({ id }) => id === job.id);
      if (now !== undefined && now.restarts > job.restarts) {
        return { effect: `${jobText(job)} was put back into the queue` };
      }
      return { why: `${jobText(job)} was put back no more often than before` };
    },
  };
}
