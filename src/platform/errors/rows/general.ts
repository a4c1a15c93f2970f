import { exitCodes } from "../exit-codes.ts";
import type { ErrorRow } from "./error-row.ts";

/** What any command or call may meet. */
export const generalRows = {
  E_USAGE: {
    message: "{problem}",
    hint: "Run `tessera {command} --help` to see what it takes.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_CONFIG_FILE: {
    message: "The configuration file {file} cannot be read: {problem}.",
    hint: "Name another file with --config or TESSERA_CONFIG, or remove the name to use defaults.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_CONFIG_INVALID: {
    message: "The configuration is not valid: {summary}",
    hint: "Correct it where it says; docs/configuration.md and `tessera config schema` list every key.",
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
  E_TIMEOUT: {
    message: "{what} did not finish within {timeout}.",
    hint: "Look at what it waits for; if that is only slow, try again.",
    exitCode: exitCodes.undecided,
    httpStatus: 504,
  },
  E_FILE_READ: {
    message: "Cannot read {path}: {problem}.",
    hint: "Check the path and its permissions.",
    exitCode: exitCodes.usage,
    httpStatus: 500,
  },
  E_FILE_WRITE: {
    message: "Cannot write {path}: {problem}.",
    hint: "What was there before is unchanged. Choose a place that you may write to and that has room.",
    exitCode: exitCodes.undecided,
    httpStatus: 500,
  },
} as const satisfies Record<string, ErrorRow>;
