import { type ExitCode, exitCodes, messageOf, TesseraError } from "../../platform/errors/index.ts";
import { createRng } from "../../platform/rng/index.ts";
import {
  describeCheckHost,
  executeCheck,
  findGpus,
  prepareCheck,
} from "../../validation/checks/index.ts";
import {
  claimRun,
  encodeResult,
  type HandInReceipt,
  handIn,
  openRunLog,
  runPaths,
  wasAccepted,
} from "../../validation/collect/index.ts";
import type { RunResult } from "../../validation/run.ts";
import { rankLauncherOf } from "../agent/rank-launcher.ts";
import type { Invocation } from "../invocation.ts";
import { writeLine } from "../output.ts";
import { type CheckFlags, splitProfile } from "./flags.ts";
import type { RunEnvironment } from "./run-environment.ts";

/** Kept of the run's time for handing in, and never less than the second. */
const handInShare = 0.1;
const handInMsMin = 10_000;
const handInMsMax = 60_000;
/** Whoever sent SIGTERM waits about this long before SIGKILL. */
const handInMsCancelled = 8_000;

/** The job of a run: whatever comes of the check, it is written down and handed in. */
export async function runJob(
  invocation: Invocation,
  { run, flags }: { readonly run: RunEnvironment; readonly flags: CheckFlags },
): Promise<ExitCode> {
  const { clock, io, signal } = invocation;
  const { subject, token, resultUrl, resultDir } = run;
  const startedMs = clock.monotonicMs();
  const paths = resultDir === undefined ? undefined : runPaths(resultDir, subject);
  const file = paths && openRunLog({ path: paths.log, folder: paths.folder, clock });
  const log = (line: string) => {
    file?.write(line);
    writeLine(io.stderr, line);
  };
  if (paths !== undefined && !(await mayRun(paths.claim, io.env, log))) {
    file?.close();
    return exitCodes.good;
  }
  log(`run ${subject.id}: check ${subject.check} on ${subject.node}`);
  const result = await perform(invocation, { run, flags, log });
  log(`${result.outcome}${result.error === undefined ? "" : `: ${result.error}`}`);
  for (const fact of result.hardFacts) log(`hard fact: ${fact}`);
  const leftMs = run.timeoutMs - (clock.monotonicMs() - startedMs);
  const receipt = await handIn({
    document: encodeResult(result, { subject, token }),
    token,
    ...(resultUrl === undefined ? {} : { resultUrl }),
    ...(paths === undefined ? {} : { paths }),
    clock,
    rng: createRng(subject.id).stream("hand-in"),
    deadlineMs: signal.aborted ? handInMsCancelled : Math.max(handInMsMin, leftMs),
  });
  log(`handed in: ${describe(receipt)}`);
  if (file?.problem() !== undefined)
    writeLine(io.stderr, `the log is not whole: ${file.problem()}`);
  file?.close();
  if (wasAccepted(receipt)) return exitCodes.good;
  throw new TesseraError("E_HAND_IN_FAILED", { run: subject.id, problem: describe(receipt) });
}

/**
 * Slurm may come to have a job of a run twice, when the answer to the first submission was lost. The
 * one that comes second has nothing to do.
 */
async function mayRun(
  claim: string,
  env: Invocation["io"]["env"],
  log: (line: string) => void,
): Promise<boolean> {
  const job = env["SLURM_JOB_ID"];
  if (job === undefined || job === "") return true;
  const claimed = await claimRun(claim, `Slurm job ${job}`);
  if (claimed.state === "taken") log(`nothing to do: ${claimed.by} has this run`);
  if (claimed.state === "unknown") log(`the run could not be claimed: ${claimed.problem}`);
  return claimed.state !== "taken";
}

/** Runs the check. Never throws: a check that cannot even begin has a result too. */
async function perform(
  invocation: Invocation,
  o: {
    readonly run: RunEnvironment;
    readonly flags: CheckFlags;
    readonly log: (line: string) => void;
  },
): Promise<RunResult> {
  const { clock, signal, io } = invocation;
  const { run, flags, log } = o;
  const { id: runId, check } = run.subject;
  const reserveMs = Math.min(handInMsMax, handInShare * run.timeoutMs);
  try {
    const { profile, options } = splitProfile(run.checkOptions, flags.profile);
    const { models } = await findGpus({ clock, signal, env: io.env });
    const host = describeCheckHost(models, io.env);
    const prepared = prepareCheck(check, options, host);
    const rng = createRng(runId).stream("check");
    const timeoutMs = run.timeoutMs - reserveMs;
    const { env } = io;
    const ranks = rankLauncherOf(invocation);
    const how = { prepared, profile, host, clock, rng, signal, log, env, ranks, timeoutMs };
    return { runId, ...(await executeCheck(how)).result };
  } catch (error) {
    const outcome = signal.aborted ? "cancelled" : "error";
    const nothing = { figures: {}, hardFacts: [], facts: {} };
    return { runId, outcome, endedAtMs: clock.nowMs(), error: messageOf(error), ...nothing };
  }
}

function describe({ post, file }: HandInReceipt): string {
  const ways = [
    post === undefined ? undefined : `by POST ${post.detail}`,
    file === undefined ? undefined : `as a file ${file.detail}`,
  ];
  return ways.filter((way) => way !== undefined).join(", ");
}
