import type { FaultView } from "../../hardware/api/index.ts";
import type { FaultClient, RevertOptions } from "../../hardware/client/index.ts";
import { exitCodes } from "../../platform/errors/index.ts";
import { textOption } from "../actor.ts";
import { openFaultClient } from "../hw/fault-client.ts";
import { secondsFlag } from "../hw/flags.ts";
import { revertLines } from "../hw/show-faults.ts";
import type { Action, Invocation } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";
import { usageError } from "../usage-error.ts";

const command = "hw revert";

/** `tessera hw revert`. */
export const run: Action = async (invocation) => {
  const { options, globals, io, signal } = invocation;
  const seconds = secondsFlag(command, options, "timeout");
  const more: RevertOptions = {
    signal,
    ...(seconds === undefined ? {} : { timeoutMs: seconds * 1000 }),
  };
  const revert = whatToRevert(invocation);
  await using client = await openFaultClient(invocation);
  const ended = await revert(client, more);
  if (globals.json === true) writeJson(io.stdout, ended);
  else for (const line of revertLines(ended)) writeLine(io.stdout, line);
  return exitCodes.good;
};

type Revert = (client: FaultClient, more: RevertOptions) => Promise<readonly FaultView[]>;

function whatToRevert({ args, options }: Invocation): Revert {
  const [id] = args;
  const runName = textOption(options, "run");
  const namespace = textOption(options, "namespace");
  const isAll = options["all"] === true;
  if ([id !== undefined, runName !== undefined, isAll].filter(Boolean).length !== 1) {
    throw usageError(command, "exactly one of a fault's id, `--run` and `--all` says what to end");
  }
  if (id !== undefined) return async (client, more) => [await client.revert(id, more)];
  if (runName !== undefined) return (client, more) => client.revertRun(runName, more);
  return async (client, more) => {
    const filter = { activeOnly: true, ...(namespace === undefined ? {} : { namespace }) };
    const live = await client.list(filter, more);
    // All are told to end before any is waited for.
    return Promise.all(live.map((fault) => client.revert(fault.id, more)));
  };
}
