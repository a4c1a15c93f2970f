import { exitCodes } from "../../platform/errors/index.ts";
import { textOption } from "../actor.ts";
import { openFaultClient } from "../hw/fault-client.ts";
import { faultLines } from "../hw/show-faults.ts";
import type { Action } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";

/** `tessera hw list`. */
export const run: Action = async (invocation) => {
  const { options, globals, io, signal } = invocation;
  const namespace = textOption(options, "namespace");
  const runName = textOption(options, "run");
  await using client = await openFaultClient(invocation);
  const faults = await client.list(
    {
      activeOnly: options["all"] !== true,
      ...(namespace === undefined ? {} : { namespace }),
      ...(runName === undefined ? {} : { run: runName }),
    },
    { signal },
  );
  if (globals.json === true) writeJson(io.stdout, faults);
  else for (const line of faultLines(faults)) writeLine(io.stdout, line);
  return exitCodes.good;
};
