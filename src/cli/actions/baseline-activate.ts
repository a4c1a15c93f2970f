import { exitCodes } from "../../platform/errors/index.ts";
import { auditLog } from "../../platform/store/index.ts";
import { activateBaseline, findBaseline } from "../../validation/baselines/index.ts";
import { actorOf, requiredReason } from "../actor.ts";
import { withExistingStore } from "../existing-store.ts";
import type { Action } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";

/** `tessera baseline activate`: a candidate is compared with from now on. */
export const run: Action = async (invocation) => {
  const { args, options, globals, io, clock } = invocation;
  const reason = requiredReason("baseline activate", options);
  const actor = actorOf(invocation);
  const force = options["force"] === true;
  const done = await withExistingStore(invocation, async ({ history, store }) => {
    const baseline = await findBaseline(history, args[0] ?? "", store.shown);
    const atMs = Math.max(clock.nowMs(), baseline.changedAtMs);
    const { superseded } = await activateBaseline(history, baseline, {
      actor,
      reason,
      atMs,
      force,
    });
    const details = { reason, superseded, force };
    const entry = { atMs: clock.nowMs(), actor, action: "baseline.activate", subject: baseline.id };
    await auditLog.append(store.db, { ...entry, details });
    return { id: baseline.id, state: "active", superseded };
  });
  if (globals.json) writeJson(io.stdout, done);
  else {
    const instead = done.superseded.length === 0 ? "" : ` instead of ${done.superseded.join(", ")}`;
    writeLine(io.stdout, `${done.id} is in force now${instead}.`);
  }
  return exitCodes.good;
};
