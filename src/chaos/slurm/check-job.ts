import { TesseraError } from "../../platform/errors/index.ts";
import type { SlurmClient, SlurmJob } from "../../platform/slurm/index.ts";
import type { ChaosPlan, SlurmWorkload } from "../plan/index.ts";
import type { JobWatch } from "./job-watch.ts";
import { isAllowed, optInMark } from "./marks.ts";
import { candidatesOf, isOver, isRunning, jobText } from "./pick-job.ts";

/**
 * Looks whether the plan may be carried out on this job, before anything is broken: it is the one that is
 * meant, its owner allows it, it runs, and no more is hit than the limits allow.
 *
 * @throws E_WORLD
 */
export async function checkJob(
  { client, user }: { readonly client: SlurmClient; readonly user: string },
  watch: JobWatch,
  { plan, workload }: { readonly plan: ChaosPlan; readonly workload: SlurmWorkload },
): Promise<SlurmJob> {
  const job = await findJob(watch, workload);
  if (!isAllowed(job)) {
    throw refused(`${jobText(job)} does not have ${optInMark} in its comment`);
  }
  if (!isRunning(job)) {
    const state = [job.state, ...job.flags].join("+");
    throw refused(`${jobText(job)} is ${state}, not running; nothing was broken`);
  }
  checkLimits(plan, job);
  if (plan.faults.some(({ fault }) => fault === "fail_node" || fault === "kill_slurmd")) {
    await checkSight(client, user);
  }
  return job;
}

/** The one job that is meant. @throws E_WORLD */
export async function findJob(watch: JobWatch, workload: SlurmWorkload): Promise<SlurmJob> {
  const { jobs } = await watch.lookAgain();
  const candidates = candidatesOf(jobs, workload, watch.user);
  const [job] = candidates;
  if (job === undefined) throw refused(`${watch.user} has no job ${workload.job}`);
  const live = candidates.filter((one) => !isOver(one));
  if (live.length > 1) {
    throw refused(
      `${watch.user} has ${live.length} jobs ${workload.job}: give the number of one of them`,
    );
  }
  return job;
}

/** A job counts as one, and so does each node, also one that is only drained. */
function checkLimits({ faults, limits }: ChaosPlan, job: SlurmJob): void {
  const targets = faults.flatMap((fault) => fault.targets);
  const nodes = new Set(targets.flatMap((one) => (one.kind === "slurm-node" ? [one.name] : [])));
  const hit = nodes.size + (targets.some(({ kind }) => kind === "slurm-job") ? 1 : 0);
  const { targetsMax, targetsPercent } = limits;
  if (hit > targetsMax) {
    throw refused(`it would hit ${hit} jobs and nodes, and limits.targets allows ${targetsMax}`);
  }
  if (targetsPercent === undefined) return;
  const most = Math.floor((job.nodes.length * targetsPercent) / 100);
  if (nodes.size > most) {
    const limit = `limits.targetsPercent allows ${targetsPercent} % of ${job.nodes.length}, which is ${most}`;
    throw refused(`it would hit ${nodes.size} nodes, and ${limit}`);
  }
}

/** Where Slurm hides the jobs of others, nobody knows whom a node would take with it. */
async function checkSight(client: SlurmClient, user: string): Promise<void> {
  const settings = await client.settings();
  const hidden = (settings["privatedata"] ?? "").split(",").map((word) => word.trim());
  if (!hidden.includes("jobs")) return;
  const ruler = (settings["slurmuser"] ?? "").replace(/\(.*$/, "");
  if (user === "root" || user === ruler) return;
  throw refused("PrivateData hides the jobs of others, and a node might take them with it");
}

export function refused(problem: string): TesseraError<"E_WORLD"> {
  return new TesseraError("E_WORLD", { world: "slurm", problem });
}
