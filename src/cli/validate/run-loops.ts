import { type ExitCode, exitCodes } from "../../platform/errors/index.ts";
import { type Reporter, verdictOf } from "../../platform/reporters/index.ts";
import { exitCodeOfVerdict } from "../../platform/words.ts";
import type { LoopEvent, LoopSummary } from "../../validation/loop/index.ts";
import type { Invocation } from "../invocation.ts";
import { writeLine } from "../output.ts";
import { reporterFor } from "../reporter.ts";
import { describeEvent } from "./describe-event.ts";
import { LiveStatus } from "./live-status.ts";
import type { Validation } from "./open-validation.ts";
import { leftItems, passReport } from "./pass-report.ts";
import { onSecondInterrupt } from "./second-interrupt.ts";

/** Runs the loops until they are told to stop, which is how they are meant to end. */
export async function runForever(
  invocation: Invocation,
  validation: Validation,
): Promise<ExitCode> {
  const { io, globals } = invocation;
  const live = new LiveStatus(io.stdout, io.env);
  validation.onEvent((event) => {
    if (globals.json !== true) live.tell(event);
    else if (event.type !== "status") writeLine(io.stdout, JSON.stringify(event));
  });
  try {
    const { cancelled } = await runAll(invocation, validation, { once: false });
    return cancelled ? exitCodes.interrupted : exitCodes.good;
  } finally {
    if (globals.json !== true) live.close();
  }
}

/** Runs what is due to its end and reports it. */
export async function runOnce(invocation: Invocation, validation: Validation): Promise<ExitCode> {
  const { clock, io, globals } = invocation;
  const reporter = reporterFor(invocation);
  const time = { startedAtMs: clock.nowMs(), startedMs: clock.monotonicMs() };
  const subject = validation.loops.map(({ entry }) => entry.name).join(", ");
  reporter.onBegin({ title: "tessera validate", subject });
  validation.onEvent((event) => {
    follow(reporter, event);
    const isNews = ["trouble", "recovered", "waiting", "draining"].includes(event.type);
    if (isNews && globals.quiet !== true) writeLine(io.stderr, describeEvent(event) ?? "");
  });
  try {
    const { summaries, cancelled } = await runAll(invocation, validation, { once: true });
    const passes = validation.loops.flatMap((assembled, at) => {
      const summary = summaries[at];
      return summary === undefined ? [] : [{ assembled, summary }];
    });
    const durationMs = clock.monotonicMs() - time.startedMs;
    for (const [at, item] of summaries.flatMap(leftItems).entries()) {
      reporter.onItemEnd({ id: `left ${at}`, item });
    }
    const report = passReport(passes, { startedAtMs: time.startedAtMs, durationMs });
    await reporter.onEnd(report);
    const interrupted = summaries.some((summary) => summary.interrupted);
    const exitCode = exitCodeOfVerdict(verdictOf(report));
    if (cancelled) return exitCodes.interrupted;
    // A pass that was cut short has found what it found, and is not whole.
    return interrupted && exitCode !== exitCodes.failed ? exitCodes.interrupted : exitCode;
  } finally {
    reporter.onAbort();
  }
}

function follow(reporter: Required<Reporter>, event: LoopEvent): void {
  if (event.type === "planned") {
    const { runId, node, check } = event.run;
    reporter.onItemStart({ id: runId, name: `${node} ${check}` });
  }
  if (event.type === "judged") {
    const { runId, node, check } = event.run;
    const name = `${node} ${check}`;
    const item = { name, status: event.verdict, reason: event.reason, facts: [] };
    reporter.onItemEnd({ id: runId, item });
  }
}

/** Runs all loops. When one of them fails the others are stopped, and its error is thrown. */
async function runAll(
  invocation: Invocation,
  { loops }: Validation,
  { once }: { readonly once: boolean },
): Promise<{ readonly summaries: readonly LoopSummary[]; readonly cancelled: boolean }> {
  const { signal, clock } = invocation;
  const second = onSecondInterrupt(process, { first: signal, clock });
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  try {
    const ends = await Promise.allSettled(
      loops.map(async ({ loop }) => {
        try {
          return await loop.run(stop, { cancel: second.signal, once });
        } catch (error) {
          failed.abort(error);
          throw error;
        }
      }),
    );
    const failure = ends.find((end) => end.status === "rejected");
    if (failure !== undefined) throw failure.reason;
    const summaries = ends.flatMap((end) => (end.status === "fulfilled" ? [end.value] : []));
    return { summaries, cancelled: second.signal.aborted };
  } finally {
    second.release();
  }
}
