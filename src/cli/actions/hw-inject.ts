import type { ToldFault } from "../../hardware/client/index.ts";
import { exitCodes, TesseraError } from "../../platform/errors/index.ts";
import { openFaultClient } from "../hw/fault-client.ts";
import { holdRun } from "../hw/hold-run.ts";
import { type RequestedKind, readRequest } from "../hw/read-request.ts";
import { revertLines } from "../hw/show-faults.ts";
import type { Action, Invocation } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";

/** `tessera hw inject`. */
export const run: Action = async (invocation) => {
  const { args, options, globals, io, signal, clock } = invocation;
  if (options["enableHwFaults"] !== true) {
    throw new TesseraError("E_HW_DISABLED", { what: "this command" });
  }
  // The command's table allows no others.
  const kind = args[0] as RequestedKind;
  const request = await readRequest(invocation, "hw inject", kind);
  await using client = await openFaultClient(invocation);
  const fault = await client.inject({ ...request, wait: true }, { signal });
  show(invocation, fault);
  if (options["hold"] !== true) return exitCodes.good;
  if (globals.json !== true) writeLine(io.stderr, "Held in force. Ctrl-C takes it back.");
  const ended = await holdRun(client, {
    run: request.run,
    leaseSeconds: request.leaseSeconds,
    clock,
    signal,
  });
  if (globals.json === true) writeJson(io.stdout, ended);
  else for (const line of revertLines(ended)) writeLine(io.stdout, line);
  return exitCodes.good;
};

function show({ globals, io }: Invocation, fault: ToldFault): void {
  if (globals.json === true) {
    writeJson(io.stdout, fault);
    return;
  }
  writeLine(io.stdout, `${fault.id} is ${fault.state} on ${fault.target}`);
  writeLine(io.stdout, fault.note);
}
