import { exitCodes } from "../../platform/errors/index.ts";
import { scopeOf } from "../../validation/baselines/index.ts";
import { baselineStates } from "../../validation/history/index.ts";
import { textOption } from "../actor.ts";
import { baselineJson, baselineLines } from "../baseline/show-baselines.ts";
import { withExistingStore } from "../existing-store.ts";
import type { Action } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";

/** `tessera baseline list`: what was learned as usual. */
export const run: Action = async (invocation) => {
  const { options, globals, io } = invocation;
  const state = baselineStates.find((known) => known === options["state"]);
  const sku = textOption(options, "sku");
  const check = textOption(options, "check");
  const cluster = textOption(options, "cluster");
  const found = await withExistingStore(invocation, ({ history }) =>
    history.baselines({
      ...(state === undefined ? {} : { state }),
      ...(sku === undefined ? {} : { sku }),
      ...(check === undefined ? {} : { check }),
    }),
  );
  const baselines = found.filter(
    (one) => cluster === undefined || scopeOf(one).cluster === cluster,
  );
  if (globals.json) writeJson(io.stdout, { baselines: baselines.map(baselineJson) });
  else if (baselines.length === 0) writeLine(io.stdout, "There is no such baseline.");
  else for (const line of baselineLines(baselines)) writeLine(io.stdout, line);
  return exitCodes.good;
};
