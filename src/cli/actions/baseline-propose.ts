import { type ExitCode, exitCodes } from "../../platform/errors/index.ts";
import { auditLog } from "../../platform/store/index.ts";
import { proposeByHand } from "../../validation/baselines/index.ts";
import { actorOf, textOption } from "../actor.ts";
import { baselineJson, baselineLines } from "../baseline/show-baselines.ts";
import { type OpenedStore, withExistingStore } from "../existing-store.ts";
import type { Action, Invocation } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";
import { usageError } from "../usage-error.ts";

const daysMax = 365;

/** `tessera baseline propose`: learns candidates and, if asked to, activates what it may. */
export const run: Action = async (invocation) => {
  const { options, globals, io } = invocation;
  const days = daysOf(options["days"]);
  const { candidates, unlearned, runs, activated, refused } = await withExistingStore(
    invocation,
    (opened) => propose(invocation, opened, days),
  );
  const code = exitCodeOf(candidates.length, refused.length);
  if (globals.json) {
    const found = candidates.map(baselineJson);
    writeJson(io.stdout, { runs, candidates: found, unlearned, activated, refused });
    return code;
  }
  if (candidates.length > 0) {
    for (const line of baselineLines(candidates)) writeLine(io.stdout, line);
  }
  for (const { reason } of unlearned) writeLine(io.stdout, `not learned: ${reason}.`);
  for (const id of activated) writeLine(io.stdout, `${id} is in force now.`);
  for (const { reason } of refused) writeLine(io.stdout, reason);
  if (candidates.length === 0) {
    writeLine(io.stdout, `Nothing could be learned from ${runs} runs of ${days} days.`);
  }
  return code;
};

async function propose(invocation: Invocation, { history, store }: OpenedStore, days: number) {
  const { options, clock } = invocation;
  const actor = actorOf(invocation);
  const reason = textOption(options, "reason") ?? "Proposed by hand.";
  const cluster = textOption(options, "cluster");
  const proposal = await proposeByHand(history, {
    actor,
    reason,
    nowMs: clock.nowMs(),
    cluster,
    check: textOption(options, "check"),
    days,
    activate: options["activate"] === true,
  });
  const { candidates, activated } = proposal;
  const details = { candidates: candidates.map(({ id }) => id), activated, reason };
  const entry = { atMs: clock.nowMs(), actor, action: "baseline.propose", subject: cluster ?? "" };
  await auditLog.append(store.db, { ...entry, details });
  return proposal;
}

function daysOf(value: unknown): number {
  if (value === undefined) return 14;
  const days = Number(value);
  if (Number.isFinite(days) && days > 1 && days <= daysMax) return days;
  throw usageError("baseline propose", `\`--days\` must be a number over 1 and up to ${daysMax}`);
}

function exitCodeOf(candidates: number, refused: number): ExitCode {
  if (refused > 0) return exitCodes.failed;
  return candidates > 0 ? exitCodes.good : exitCodes.undecided;
}
