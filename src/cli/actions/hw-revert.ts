import type { FaultView } from "../../hardware/api/index.ts";
import type { FaultClient, RevertOptions } from "../../hardware/client/index.ts";
import { mapConcurrent } from "../../platform/concurrency/index.ts";
import {
  exitCodes,
  isTesseraError,
  TesseraError,
  toTesseraError,
} from "../../platform/errors/index.ts";
import { textOption } from "../actor.ts";
import { openFaultClient } from "../hw/fault-client.ts";
import { secondsFlag } from "../hw/flags.ts";
import { revertLines } from "../hw/show-faults.ts";
import type { Action, Invocation } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";
import { usageError } from "../usage-error.ts";

const command = "hw revert";
const revertsAtOnce = 8;

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
  const { ended, failures } = await revert(client, more);
  if (globals.json === true) writeJson(io.stdout, ended);
  else if (ended.length > 0 || failures.length === 0)
    for (const line of revertLines(ended)) writeLine(io.stdout, line);
  const failure = failureOf(failures);
  if (failure !== undefined) throw failure;
  return exitCodes.good;
};

interface Reverted {
  readonly ended: readonly FaultView[];
  readonly failures: readonly TesseraError[];
}

type Revert = (client: FaultClient, more: RevertOptions) => Promise<Reverted>;

const allEnded = (ended: readonly FaultView[]): Reverted => ({ ended, failures: [] });

function whatToRevert({ args, options }: Invocation): Revert {
  const [id] = args;
  const runName = textOption(options, "run");
  const namespace = textOption(options, "namespace");
  const isAll = options["all"] === true;
  if ([id !== undefined, runName !== undefined, isAll].filter(Boolean).length !== 1) {
    throw usageError(command, "exactly one of a fault's id, `--run` and `--all` says what to end");
  }
  if (id !== undefined) return async (client, more) => allEnded([await client.revert(id, more)]);
  if (runName !== undefined)
    return async (client, more) => allEnded(await client.revertRun(runName, more));
  return async (client, more) => {
    const filter = { activeOnly: true, ...(namespace === undefined ? {} : { namespace }) };
    const live = await client.list(filter, more);
    return revertEach(live, (fault) => client.revert(fault.id, more), more.signal);
  };
}

/** One that fails does not keep the others. */
async function revertEach(
  faults: readonly FaultView[],
  revert: (fault: FaultView) => Promise<FaultView>,
  signal: AbortSignal | undefined,
): Promise<Reverted> {
  const outer = signal === undefined ? {} : { signal };
  const results = await mapConcurrent(
    faults,
    revertsAtOnce,
    async (fault) => {
      try {
        return await revert(fault);
      } catch (error) {
        signal?.throwIfAborted();
        return toTesseraError(error);
      }
    },
    outer,
  );
  return {
    ended: results.flatMap((result) => (isTesseraError(result) ? [] : [result])),
    failures: results.filter(isTesseraError),
  };
}

/** One failure as it is, several as one that tells all of them. */
function failureOf(failures: readonly TesseraError[]): TesseraError | undefined {
  if (failures.length <= 1) return failures[0];
  return new TesseraError(
    "E_HW_FAILED",
    {
      what: `Taking back ${failures.length} faults`,
      problem: failures.map(({ message }) => message.replace(/\.$/, "")).join("; "),
    },
    { cause: new AggregateError(failures) },
  );
}
