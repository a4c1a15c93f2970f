import { exitCodes } from "../../platform/errors/index.ts";
import { findBaseline, objectionsTo } from "../../validation/baselines/index.ts";
import { baselineDetails, baselineJson } from "../baseline/show-baselines.ts";
import { withExistingStore } from "../existing-store.ts";
import type { Action } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";

/** `tessera baseline show`: one baseline with where it comes from. */
export const run: Action = async (invocation) => {
  const { args, globals, io, clock } = invocation;
  const { baseline, objections } = await withExistingStore(invocation, async (opened) => {
    const { history, store } = opened;
    const found = await findBaseline(history, args[0] ?? "", store.shown);
    const atMs = Math.max(clock.nowMs(), found.madeAtMs);
    const against = found.state === "candidate" ? await objectionsTo(history, found, { atMs }) : [];
    return { baseline: found, objections: against };
  });
  if (globals.json) {
    writeJson(io.stdout, { ...baselineJson(baseline), objections });
    return exitCodes.good;
  }
  for (const line of baselineDetails(baseline)) writeLine(io.stdout, line);
  for (const { reason } of objections) writeLine(io.stdout, `against activating it: ${reason}`);
  return exitCodes.good;
};
