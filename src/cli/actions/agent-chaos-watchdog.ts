import { createInterface } from "node:readline";
import { type WatchdogOrder, watchOver } from "../../chaos/host/index.ts";
import { exitCodes } from "../../platform/errors/index.ts";
import type { Action } from "../invocation.ts";

/** `tessera agent chaos-watchdog`: told on stdin what to watch over; the end of that input is the runner's. */
export const run: Action = async ({ clock }) => {
  const lines = createInterface({ input: process.stdin });
  let order: WatchdogOrder | undefined;
  const gone = new Promise<void>((resolve) => {
    lines.on("close", resolve);
  });
  lines.once("line", (line) => {
    order = JSON.parse(line) as WatchdogOrder;
  });
  await gone;
  if (order === undefined) return exitCodes.usage;
  await watchOver(order, { clock, gone });
  return exitCodes.good;
};
