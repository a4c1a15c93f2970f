import { faultEntry, faultTable } from "../../chaos/fault/catalogue/index.ts";
import { exitCodes } from "../../platform/errors/index.ts";
import { showFault, showFaults } from "../chaos/show-faults.ts";
import type { Action } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";

/** `tessera chaos faults`: the catalogue, or one entry of it. @throws E_FAULT_UNKNOWN */
export const run: Action = async ({ args, globals, io }) => {
  const [name] = args;
  const rows = faultTable();
  const row =
    name === undefined ? undefined : rows.find((one) => one.name === faultEntry(name).name);
  if (globals.json) writeJson(io.stdout, row ?? { faults: rows });
  else {
    const lines = row === undefined ? showFaults(rows) : showFault(row);
    for (const line of lines) writeLine(io.stdout, line);
  }
  return exitCodes.good;
};
