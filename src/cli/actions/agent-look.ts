import { exitCodes } from "../../platform/errors/index.ts";
import { takeLook } from "../../validation/checks/gate/index.ts";
import { readLookOrder } from "../check/gate/look-order.ts";
import type { Action } from "../invocation.ts";
import { writeLine } from "../output.ts";

/** `tessera agent look`: what a gate sees of this machine, one JSON object a line. */
export const run: Action = async ({ clock, io }) => {
  const { folders, gpus, xids } = readLookOrder(io.env);
  const say = (line: unknown) => writeLine(io.stdout, JSON.stringify(line));
  await takeLook({ clock, env: io.env, folders, gpus, xids, say });
  return exitCodes.good;
};
