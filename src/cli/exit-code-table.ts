import { exitCodes } from "../platform/errors/index.ts";

/** What each exit code means to the caller, for help and docs/cli.md. */
export const exitCodeTable: readonly { readonly code: number; readonly meaning: string }[] = [
  { code: exitCodes.good, meaning: "everything asked for is good" },
  { code: exitCodes.failed, meaning: "a verdict or an expectation failed" },
  {
    code: exitCodes.usage,
    meaning: "the command line, the configuration or an input file is wrong",
  },
  { code: exitCodes.undecided, meaning: "Tessera could not decide; unknown is never healthy" },
  { code: exitCodes.interrupted, meaning: "stopped by SIGINT or SIGTERM" },
];
