import { exitCodes } from "./exit-codes.ts";

/** One row of the error table: everything a person or a program needs to react to an error. */
export interface ErrorRow {
  /** What went wrong. `{name}` is filled from the error's details. */
  readonly message: string;
  /** What to do about it. `{name}` is filled from the error's details. */
  readonly hint: string;
  readonly exitCode: number;
  readonly httpStatus: number;
}

/**
 * Every error Tessera reports on purpose. `docs/errors.md` is generated from this table, and each
 * row has a test that provokes it through the CLI or the API.
 */
export const errorTable = {
  E_USAGE: {
    message: "{problem}",
    hint: "Run `tessera {command} --help` to see what it takes.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_INTERRUPTED: {
    message: "Interrupted by {signal}.",
    hint: "Nothing was left half-done; run the command again to continue.",
    exitCode: exitCodes.interrupted,
    httpStatus: 503,
  },
  E_INTERNAL: {
    message: "Tessera failed in a way it did not expect: {problem}",
    hint: "Run again with --verbose and report the stack.",
    exitCode: exitCodes.undecided,
    httpStatus: 500,
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof errorTable;
