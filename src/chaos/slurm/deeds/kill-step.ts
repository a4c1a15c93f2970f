import type { Deed, Sight } from "../../live/index.ts";
import type { SlurmView } from "../job-watch.ts";
import { idText, jobText, runOf } from "../pick-job.ts";
import { undoes } from "../undo.ts";
import type { DeedContext } from "./deed-context.ts";
import { runningJob } from "./running-job.ts";

/** Kills what one step of the job has started, on all of its nodes. */
export async function killStep(
  { client, watch }: DeedContext,
  { step, signal }: { readonly step: string; readonly signal: string },
): Promise<Deed> {
  const job = runningJob(await watch.lookAgain());
  const jobId = idText(job);
  const id = `${jobId}.${step}`;
  const what = step === "batch" ? `the script of ${jobText(job)}` : `step ${id}`;
  let seen: { readonly view: SlurmView; readonly sight: Sight } | undefined;
  const seeIn = async ({ job: now }: SlurmView): Promise<Sight> => {
    if (now === undefined || runOf(now) !== runOf(job)) {
      return { effect: `${jobText(job)} has left its run` };
    }
    const steps = await client.steps(jobId);
    return steps.includes(id)
      ? { why: `Slurm still lists ${what}` }
      : { effect: `Slurm no longer lists ${what}` };
  };
  return {
    target: what,
    undo: undoes.none(),
    act: async ({ dryRun }) => {
      const steps = await client.steps(jobId);
      if (!steps.includes(id)) throw new Error(`Slurm lists no step ${id}`);
      if (dryRun) return;
      if (step === "batch") await client.cancel([jobId], { kill: signal, batch: true });
      else await client.cancel([id], { kill: signal });
    },
    see: async () => {
      const view = await watch.look();
      // Steps are asked for as often as the job is, and no more often.
      if (seen?.view !== view) seen = { view, sight: await seeIn(view) };
      return seen.sight;
    },
  };
}
