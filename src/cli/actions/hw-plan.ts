import { exitCodes } from "../../platform/errors/index.ts";
import { openFaultClient } from "../hw/fault-client.ts";
import { readRequest } from "../hw/read-request.ts";
import type { Action } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";

/** `tessera hw plan`. */
export const run: Action = async (invocation) => {
  const { globals, io, signal } = invocation;
  const request = await readRequest(invocation, "hw plan", "xid");
  await using client = await openFaultClient(invocation);
  const answer = await client.plan(request, { signal });
  if (globals.json === true) writeJson(io.stdout, answer);
  else writeLine(io.stdout, answer.text.trimEnd());
  return answer.allowed ? exitCodes.good : exitCodes.failed;
};
