import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { onTestFinished } from "vitest";
import {
  makePartFile,
  runCampaignOnSlurm,
  type SlurmCampaignOptions,
} from "../../../../../src/chaos/campaign/on-slurm/index.ts";
import {
  makeRanges,
  partVariables,
  rangesAt,
} from "../../../../../src/chaos/campaign/spread/index.ts";
import type { SlurmJob, SlurmSubmission } from "../../../../../src/platform/slurm/index.ts";
import { VirtualClock } from "../../../../../src/platform/time/index.ts";
import { createFakeSlurm, type FakeSlurm } from "../../../../platform/slurm/fake-slurm.ts";
import { honest } from "../../lib/fake-trial.ts";
import { inline, never, runPart } from "../../lib/run-part.ts";

export const campaign = "tessera-campaign-1";

/** The same campaign in one place. */
export const local = () => runPart([0, 40], [inline(honest)]);

/** Which tasks were handed in, array by array. */
export function arraysOf(submissions: ReadonlyMap<number, SlurmSubmission>) {
  return [...submissions.values()].map(({ args }) =>
    args.find((arg) => arg.startsWith("--array=")),
  );
}

/** A campaign of 40 runs in 4 tasks on a Slurm in memory, with real files. */
export async function slurmCampaign(more: Partial<SlurmCampaignOptions> = {}) {
  const results = await mkdtemp(join(tmpdir(), "tessera-slurm-campaign-"));
  onTestFinished(() => rm(results, { recursive: true, force: true }));
  const clock = new VirtualClock();
  const slurm = createFakeSlurm({ nodes: 8, clock });
  const stop = new AbortController();
  const options: SlurmCampaignOptions = {
    client: slurm,
    clock,
    signal: stop.signal,
    campaign,
    results,
    program: "/shared/tessera",
    searchPath: "/usr/bin",
    partition: "tessera",
    tasks: 4,
    seed: "t",
    range: { from: 0, to: 40 },
    ...more,
  };
  const start = (again: Partial<SlurmCampaignOptions> = {}) =>
    untilOver(clock, runCampaignOnSlurm({ ...options, ...again }));
  return { clock, slurm, options, stop, start, folder: join(results, campaign) };
}

/** Lets time go on, but never while somebody is busy with files. */
async function untilOver<Result>(clock: VirtualClock, work: Promise<Result>): Promise<Result> {
  const over = new AbortController();
  const end = () => over.abort();
  work.then(end, end);
  while (!over.signal.aborted) {
    if (clock.timersPending > 0) await clock.advance(clock.nextDelayMs ?? 0);
    else await setImmediate();
  }
  return work;
}

/** Tasks of the campaign that run, in the order of their arrays. */
export function runningTasks(slurm: FakeSlurm): readonly SlurmJob[] {
  // Not by the client, whose calls the test counts.
  return [...slurm.test.submissions].flatMap(([id, { env }]) => {
    const count = env[partVariables.ranges]?.split(",").length ?? 0;
    const jobs = Array.from({ length: count }, (_, at) => jobAt(slurm, id + at));
    return jobs
      .filter((job) => job !== undefined)
      .filter(({ arrayJobId, state }) => arrayJobId === id && state === "RUNNING");
  });
}

function jobAt(slurm: FakeSlurm, id: number): SlurmJob | undefined {
  try {
    return slurm.test.job(id);
  } catch {
    return undefined;
  }
}

/** What a node does for a task: its runs, and a file with them. */
export async function leaveResult(slurm: FakeSlurm, job: SlurmJob, seed = "t"): Promise<void> {
  const env = slurm.test.submissions.get(job.arrayJobId ?? 0)?.env;
  const ranges = rangesAt(env?.[partVariables.ranges] ?? "", job.arrayTaskId ?? 0);
  if (ranges === undefined) throw new Error(`task ${job.arrayTaskId} has no range`);
  await makePartFile({
    folder: env?.[partVariables.folder] ?? "",
    task: `${job.arrayJobId}_${job.arrayTaskId}`,
    ranges,
    clock: new VirtualClock(),
    make: async (onRun) => {
      await onRun();
      const clock = new VirtualClock();
      return makeRanges(ranges, { seed, workers: [inline(honest)], clock, signal: never });
    },
  });
}

/** Every running task does its work, except as the test has it. */
export function nodesWork(
  slurm: FakeSlurm,
  except: (job: SlurmJob, look: number) => boolean | Promise<boolean> = () => false,
): void {
  let look = 0;
  slurm.test.onCall(async (call) => {
    if (call !== "jobs") return;
    look++;
    for (const job of runningTasks(slurm)) {
      if (await except(job, look)) continue;
      await leaveResult(slurm, job);
      slurm.test.finish(job.id);
    }
  });
}
