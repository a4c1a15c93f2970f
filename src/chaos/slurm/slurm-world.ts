import assert from "node:assert/strict";
import { join } from "node:path";
import { messageOf } from "../../platform/errors/index.ts";
import { openLedger, recoverLedgers } from "../ledger/index.ts";
import {
  freshRunName,
  LiveRun,
  leaseMsDefault,
  recoveryNotes,
  rehearseDeeds,
  shortHash,
} from "../live/index.ts";
import type { ChaosPlan, SlurmWorkload } from "../plan/index.ts";
import type { RunRecord } from "../record/index.ts";
import type { World, WorldRunOptions } from "../world.ts";
import { checkJob, findJob, refused } from "./check-job.ts";
import { type DeedContext, deedsOf } from "./deeds/index.ts";
import { JobWatch } from "./job-watch.ts";
import { clearLeftovers } from "./leftovers.ts";
import { OutputTail } from "./output-tail.ts";
import { slurmRefusals } from "./refusals.ts";
import type { SlurmWorldOptions } from "./slurm-options.ts";
import { createSlurmUndo } from "./undo.ts";
import { WatchedJob } from "./watched-job.ts";

/** A job of a real Slurm cluster whose owner allows it. */
export function createSlurmWorld(options: SlurmWorldOptions): World {
  const refusals = (plan: ChaosPlan) => slurmRefusals(plan, hooksOf(options));
  return {
    name: "slurm",
    refusals,
    run: async (plan, runOptions) => {
      const workload = workloadOf(plan, options);
      return runOnSlurm({ plan, workload, world: options, options: runOptions });
    },
  };
}

interface Asked {
  readonly plan: ChaosPlan;
  readonly workload: SlurmWorkload;
  readonly world: SlurmWorldOptions;
  readonly options: WorldRunOptions;
}

async function runOnSlurm({ plan, workload, world, options }: Asked): Promise<RunRecord> {
  const { client, clock, user, leaseMs, lookEveryMs } = world;
  const undo = createSlurmUndo(world);
  const notes = await recoverOnSlurm(world);
  const watch = new JobWatch({ client, clock, workload, user, lookEveryMs });
  await checkJob(world, watch, { plan, workload });
  const run = world.run ?? (await freshRunName("s"));
  // The mark of a node says by when the run is over for sure: nobody has to renew it.
  const untilMs = clock.nowMs() + plan.limits.durationUs / 1000 + leaseMsDefault;
  const context: DeedContext = { client, watch, daemonHook: world.daemonHook, run, untilMs };
  await rehearseDeeds(plan, (fault) => deedsOf(fault, context), refused);
  const tail = await openTail(workload);
  options.signal.throwIfAborted();
  const lease = leaseMs === undefined ? {} : { leaseMs };
  const ledger = await openLedger({ folder: await ledgersOf(world), run, clock, ...lease });
  try {
    const first = await watch.look();
    const job = new WatchedJob({ workload, context, clock, first, tail });
    const parts = { plan, job, clock, ledger, undo, options, notes, lookEveryMs, leaseMs };
    return await new LiveRun(parts).carryOut();
  } finally {
    await ledger.revertAll(undo);
    await ledger.close();
  }
}

async function openTail({ output }: SlurmWorkload): Promise<OutputTail | undefined> {
  if (output === null) return undefined;
  const tail = new OutputTail(output);
  try {
    await tail.start();
  } catch (error) {
    throw refused(`what the job prints cannot be read: ${messageOf(error)}`);
  }
  return tail;
}

/**
 * Takes back what earlier runs left in force whose runners are gone.
 *
 * @returns what came of it, each in a sentence
 */
export async function recoverOnSlurm(
  world: Pick<SlurmWorldOptions, "client" | "clock" | "folder" | "daemonHook">,
): Promise<readonly string[]> {
  const { client, clock } = world;
  // Whoever comes next tries again: nobody has to wait here.
  const executor = createSlurmUndo({ ...world, patienceMs: 0 });
  const recovery = await recoverLedgers({ folder: await ledgersOf(world), clock, executor });
  const { cleared, left } = await clearLeftovers(client, clock);
  return [...recoveryNotes(recovery, cleared), ...left];
}

/** What is written about one cluster must not be undone in another. */
async function ledgersOf({
  folder,
  client,
}: Pick<SlurmWorldOptions, "folder" | "client">): Promise<string> {
  const settings = await client.settings();
  const named = Object.entries(settings).filter(([name]) =>
    /^(clustername|slurmctldhost.*|slurmctldport)$/.test(name),
  );
  return join(folder, shortHash(JSON.stringify(named.toSorted(([a], [b]) => (a < b ? -1 : 1)))));
}

/**
 * Everything that is looked at before a run, without breaking anything or taking back what others left.
 *
 * @returns what nothing speaks against, each in a few words.
 * @throws E_WORLD for whatever a run would be refused for.
 */
export async function dryRunOnSlurm(
  plan: ChaosPlan,
  world: Pick<SlurmWorldOptions, "client" | "clock" | "user" | "daemonHook">,
): Promise<readonly string[]> {
  const workload = workloadOf(plan, world);
  const { client, clock, user, daemonHook } = world;
  const watch = new JobWatch({ client, clock, workload, user });
  await checkJob(world, watch, { plan, workload });
  await openTail(workload);
  const context: DeedContext = { client, watch, daemonHook, run: "s-dry-run", untilMs: 0 };
  return rehearseDeeds(plan, (fault) => deedsOf(fault, context), refused);
}

/** The nodes that the job of a workload holds, for targets that are chosen by chance. @throws E_WORLD */
export async function nodesOfJob(
  workload: SlurmWorkload,
  { client, clock, user }: Pick<SlurmWorldOptions, "client" | "clock" | "user">,
): Promise<readonly string[]> {
  const watch = new JobWatch({ client, clock, workload, user });
  return (await findJob(watch, workload)).nodes;
}

function workloadOf(plan: ChaosPlan, world: Pick<SlurmWorldOptions, "daemonHook">): SlurmWorkload {
  const [problem] = slurmRefusals(plan, hooksOf(world));
  if (problem !== undefined) throw refused(problem.replace(/\.$/, ""));
  assert(plan.workload.kind === "slurm", "others were refused");
  return plan.workload;
}

function hooksOf({ daemonHook }: Pick<SlurmWorldOptions, "daemonHook">) {
  return { daemonHook: daemonHook !== undefined };
}
