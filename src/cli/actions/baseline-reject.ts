import { exitCodes } from "../../platform/errors/index.ts";
import { auditLog } from "../../platform/store/index.ts";
import { findBaseline, rejectBaseline } from "../../validation/baselines/index.ts";
import { actorOf, requiredReason } from "../actor.ts";
import { withExistingStore } from "../existing-store.ts";
import type { Action } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";

/** `tessera baseline reject`: a baseline nobody is to use. */
export const run: Action = async (invocation) => {
  const { args, options, globals, io, clock } = invocation;
  const reason = requiredReason("baseline reject", options);
  const actor = actorOf(invocation);
  const { id, was } = await withExistingStore(invocation, async ({ history, store }) => {
    const baseline = await findBaseline(history, args[0] ?? "", store.shown);
    const atMs = Math.max(clock.nowMs(), baseline.changedAtMs);
    await rejectBaseline(history, baseline, { actor, reason, atMs });
    const details = { reason, was: baseline.state };
    const entry = { atMs: clock.nowMs(), actor, action: "baseline.reject", subject: baseline.id };
    await auditLog.append(store.db, { ...entry, details });
    return { id: baseline.id, was: baseline.state };
  });
  if (globals.json) writeJson(io.stdout, { id, state: "rejected", was });
  else
    writeLine(
      io.stdout,
      `${id} is rejected; it was ${was === "active" ? "in force" : "a candidate"}.`,
    );
  return exitCodes.good;
};
