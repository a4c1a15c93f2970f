import { type ExitCode, exitCodes, toTesseraError } from "../../platform/errors/index.ts";
import { auditLog } from "../../platform/store/index.ts";
import { activateBaseline, proposeBaselines } from "../../validation/baselines/index.ts";
import type { BaselineRecord } from "../../validation/history/index.ts";
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
  const { proposal, activated, refused } = await withExistingStore(invocation, (opened) =>
    propose(invocation, opened, days),
  );
  const { candidates, unlearned, runs } = proposal;
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

interface Refused {
  readonly id: string;
  readonly reason: string;
}

async function propose(invocation: Invocation, { history, store }: OpenedStore, days: number) {
  const { options, clock } = invocation;
  const actor = actorOf(invocation);
  const reason = textOption(options, "reason") ?? "Proposed by hand.";
  const cluster = textOption(options, "cluster");
  const check = textOption(options, "check");
  // Runs of a simulated fleet may be ahead of this machine's time.
  const [newest] = await history.runs({ ...(cluster === undefined ? {} : { cluster }), limit: 1 });
  const atMs = Math.max(clock.nowMs(), newest?.result?.endedAtMs ?? 0);
  const proposal = await proposeBaselines(history, {
    actor,
    reason,
    atMs,
    ...(cluster === undefined ? {} : { cluster }),
    ...(check === undefined ? {} : { check }),
    options: { windowDays: days },
  });
  const activated: string[] = [];
  const refused: Refused[] = [];
  for (const one of options["activate"] === true ? proposal.candidates : []) {
    if (one.state !== "candidate") continue;
    const objection = await tryToActivate(history, one, { actor, reason, atMs });
    if (objection === undefined) activated.push(one.id);
    else refused.push(objection);
  }
  const details = { candidates: proposal.candidates.map(({ id }) => id), activated, reason };
  const entry = { atMs: clock.nowMs(), actor, action: "baseline.propose", subject: cluster ?? "" };
  await auditLog.append(store.db, { ...entry, details });
  return { proposal, activated, refused };
}

async function tryToActivate(
  history: OpenedStore["history"],
  candidate: BaselineRecord,
  deed: Parameters<typeof activateBaseline>[2],
): Promise<Refused | undefined> {
  try {
    await activateBaseline(history, candidate, deed);
    return undefined;
  } catch (thrown) {
    const error = toTesseraError(thrown);
    if (error.code !== "E_BASELINE_REFUSED") throw thrown;
    return { id: candidate.id, reason: error.message };
  }
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
