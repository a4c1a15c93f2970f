import { formatDurationMs } from "../../platform/units/index.ts";
import type { LoopEvent } from "../../validation/loop/index.ts";

/** An event as a line for people; undefined for what is not worth one. */
export function describeEvent(event: LoopEvent): string | undefined {
  const text = textOf(event);
  return text === undefined ? undefined : `${event.cluster}: ${text}`;
}

function textOf(event: LoopEvent): string | undefined {
  switch (event.type) {
    case "planned":
      return `${event.run.check} on ${event.run.node} planned: ${event.reason}`;
    case "submitted":
      return event.again ? `${event.run.check} on ${event.run.node} submitted again` : undefined;
    case "cancelling":
      return `${event.run.check} on ${event.run.node} cancelled: ${event.reason}`;
    case "judged":
      return `${event.verdict.padEnd(7)} ${event.run.check} on ${event.run.node}: ${event.reason}`;
    case "stray":
      return `job ${event.jobName} on ${event.node} has no run any more and was ended`;
    case "trouble":
      return `${event.step} does not work: ${event.problem}; trying again`;
    case "recovered":
      return `${event.step} works again, after ${formatDurationMs(Math.round(event.lastedMs))}`;
    case "waiting":
      return waitingText(event);
    case "leading":
      return "this process leads";
    case "lost":
      return "this process no longer leads; nothing is submitted";
    case "draining":
      return `stopping: nothing new is begun, ${runs(event.open)} under way; press Ctrl-C again to cancel`;
    case "stopped":
      return event.open === 0
        ? "stopped"
        : `stopped; the next loop goes on with ${runs(event.open)}`;
    case "running":
    case "ended":
    case "status":
      return undefined;
  }
}

function waitingText({ leader }: LoopEvent & { readonly type: "waiting" }): string {
  if (leader === undefined) return "waiting to lead";
  const since =
    leader.sinceMs === undefined ? "" : ` since ${new Date(leader.sinceMs).toISOString()}`;
  return `${leader.holder} leads${since}; waiting until it is gone`;
}

function runs(count: number): string {
  return count === 1 ? "1 run" : `${count} runs`;
}
