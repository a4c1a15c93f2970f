import assert from "node:assert/strict";
import { lookup } from "node:dns/promises";
import type { SlurmJob } from "../../../platform/slurm/index.ts";
import { sleep } from "../../../platform/time/clock.ts";
import { formatDurationMs } from "../../../platform/units/index.ts";
import type { RankLauncher, RankOutcome, RankRun } from "../ranks.ts";
import { formatAddress } from "../wire/address.ts";
import { newSecret } from "../wire/proof.ts";
import type { NodeAllocation } from "./allocate.ts";
import {
  isCompleting,
  type JobView,
  jobEnded,
  jobOf,
  lookFirstMs,
  nextLookMs,
} from "./job-problem.ts";
import { rendezvousPort } from "./slurm-rank.ts";
import { stepArguments } from "./step-arguments.ts";
import { StepRoll } from "./step-roll.ts";
import { type SlurmTools, startTool, toolFailed } from "./tools.ts";

export interface SrunLauncherOptions extends JobView {
  readonly allocation: Pick<NodeAllocation, "jobId" | "nodes">;
  readonly ranksPerNode: number;
  /** Each rank has one GPU of its own. */
  readonly gpus: boolean;
  /** The program as nodes find it; `agent rank TASK` follows. */
  readonly program: string;
  readonly tools: SlurmTools;
}

/**
 * Starts ranks as tasks of one step in nodes that are ours. Rank 0 hosts the rendezvous on the first
 * node; what ranks report and return comes back through srun, so that nothing listens here.
 *
 * @throws (from the launch) E_SLURM_JOB when the job was preempted, cancelled or lost a node;
 * E_SLURM_FAILED when srun cannot start the step; the signal's reason when that aborts, after srun ended.
 */
export function createSrunLauncher(options: SrunLauncherOptions): RankLauncher {
  let steps = 0;
  return async (run) => {
    run.signal.throwIfAborted();
    const outcomes = await launch(run, options, steps++);
    run.signal.throwIfAborted();
    return outcomes;
  };
}

async function launch(
  run: RankRun,
  options: SrunLauncherOptions,
  step: number,
): Promise<readonly RankOutcome[]> {
  const { allocation, ranksPerNode, gpus, program, tools } = options;
  const { worldSize, signal, timeoutMs, task } = run;
  const nodes = nodesFor(options, worldSize);
  const placeOf = (rank: number) => nodes[Math.floor(rank / ranksPerNode)]?.name ?? "";
  const stop = (reason: string) => {
    roll.stop(reason);
    void srun.stop();
  };
  const { silenceMs, onReport, onLine } = run;
  const roll = new StepRoll({
    ...{ worldSize, clock: tools.clock, nodeOf: placeOf, onStop: stop },
    ...(silenceMs === undefined ? {} : { silenceMs }),
    ...(onReport === undefined ? {} : { onReport }),
    ...(onLine === undefined ? {} : { onLine }),
  });
  const names = nodes.map(({ name }) => name);
  const args = stepArguments({
    jobId: allocation.jobId,
    nodes: names,
    ranks: worldSize,
    ranksPerNode,
    gpus,
  });
  const srun = await startTool("srun", [...args, program, "agent", "rank", task], {
    tools,
    env: await environmentOf(run, { allocation, step }),
    dieWithParent: true,
    onLine: (line, stream) => roll.hear(line, stream),
  });
  const timer = tools.clock.setTimer(timeoutMs, () =>
    stop(`the run did not end within ${formatDurationMs(timeoutMs)}`),
  );
  const onAbort = () => stop("the run was stopped");
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    await srun.exited;
    signal.throwIfAborted();
    return await judged(roll, options);
  } finally {
    timer.cancel();
    signal.removeEventListener("abort", onAbort);
    roll.close();
  }
}

function nodesFor({ allocation, ranksPerNode }: SrunLauncherOptions, worldSize: number) {
  const count = Math.ceil(worldSize / ranksPerNode);
  assert(worldSize >= 1 && count <= allocation.nodes.length, "as many ranks as there is room for");
  return allocation.nodes.slice(0, count);
}

/** What varies goes to the ranks here, and never into words that others on the machine can read. */
async function environmentOf(
  run: RankRun,
  about: { readonly allocation: SrunLauncherOptions["allocation"]; readonly step: number },
): Promise<Readonly<Record<string, string>>> {
  const { allocation, step } = about;
  const host = await addressOf(allocation.nodes[0]?.address ?? "");
  const port = rendezvousPort({ jobId: allocation.jobId, step });
  return {
    TESSERA_RENDEZVOUS: formatAddress({ host, port }),
    TESSERA_RANK_SECRET: newSecret(),
    TESSERA_RANK_INPUT: JSON.stringify(run.input),
    TESSERA_RANK_LINES: "1",
  };
}

/**
 * The address of a node as it is seen from outside it: a node may know its own name as that of its
 * loop-back interface, where no other would find it.
 */
async function addressOf(name: string): Promise<string> {
  try {
    return (await lookup(name)).address;
  } catch {
    return name;
  }
}

/** How long a job whose step is over may take to say how it ended itself. */
const completingMs = 15_000;

async function judged(
  roll: StepRoll,
  options: SrunLauncherOptions,
): Promise<readonly RankOutcome[]> {
  const outcomes = roll.outcomes();
  if (outcomes.every(({ ended }) => ended === "completed")) return outcomes;
  const { because, failedNode, anyCame, srunWords } = roll;
  const job = await completedJob(options);
  const over = job && jobEnded(job, { because, failedNode });
  if (over !== undefined) throw over;
  if (!anyCame) throw toolFailed("srun", srunWords);
  return outcomes;
}

/** The job as it is; one that is about to end, as it has ended. */
async function completedJob({
  client,
  user,
  allocation,
  tools: { clock },
}: SrunLauncherOptions): Promise<SlurmJob | undefined> {
  const untilMs = clock.monotonicMs() + completingMs;
  for (let waitMs = lookFirstMs; ; waitMs = nextLookMs(waitMs)) {
    const job = await jobOf({ client, user }, allocation.jobId);
    if (job === undefined || !isCompleting(job) || clock.monotonicMs() >= untilMs) return job;
    await sleep(clock, waitMs);
  }
}
