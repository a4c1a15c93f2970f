/** The exit codes of every command, the same everywhere (see docs/cli.md). */
export const exitCodes = {
  /** Everything asked for is good. */
  good: 0,
  /** A verdict or an expectation failed. */
  failed: 1,
  /** The command line, the configuration or an input file is wrong. */
  usage: 2,
  /** Tessera could not decide: unknown is never healthy. */
  undecided: 3,
  /** Stopped by SIGINT or SIGTERM. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
