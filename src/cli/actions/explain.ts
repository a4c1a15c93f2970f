import { closest } from "../../platform/config/index.ts";
import {
  type ErrorCode,
  type ErrorRow,
  errorTable,
  exitCodes,
} from "../../platform/errors/index.ts";
import type { Action, Invocation } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";
import { usageError } from "../usage-error.ts";

const codes = Object.keys(errorTable) as ErrorCode[];

/** `tessera explain [code]`. */
export const run: Action = async ({ args, globals, io }) => {
  const [typed] = args;
  if (typed === undefined) listAll({ globals, io });
  else explain(findCode(typed), { globals, io });
  return exitCodes.good;
};

/** People copy codes from logs, in any case and without their first letter. */
function findCode(typed: string): ErrorCode {
  const upper = typed.toUpperCase();
  const wanted = upper.startsWith("E_") ? upper : `E_${upper}`;
  const found = codes.find((code) => code === wanted);
  if (found !== undefined) return found;
  const near = closest(wanted, codes);
  const meant = near === undefined ? "" : ` (did you mean \`${near}\`?)`;
  throw usageError("explain", `There is no error code \`${typed}\`${meant}.`);
}

function explain(code: ErrorCode, { globals, io }: Pick<Invocation, "globals" | "io">): void {
  const row = errorTable[code];
  if (globals.json) {
    writeJson(io.stdout, { code, ...row });
    return;
  }
  writeLine(io.stdout, code);
  writeLine(io.stdout, `  says         ${row.message}`);
  writeLine(io.stdout, `  what to do   ${row.hint}`);
  writeLine(io.stdout, `  exit code    ${row.exitCode}`);
  writeLine(io.stdout, `  HTTP status  ${row.httpStatus}`);
}

function listAll({ globals, io }: Pick<Invocation, "globals" | "io">): void {
  const rows: readonly (readonly [string, ErrorRow])[] = Object.entries(errorTable);
  if (globals.json) {
    writeJson(io.stdout, { errors: rows.map(([code, row]) => ({ code, ...row })) });
    return;
  }
  const width = Math.max(...codes.map((code) => code.length));
  for (const [code, { message }] of rows) writeLine(io.stdout, `${code.padEnd(width)}  ${message}`);
}
