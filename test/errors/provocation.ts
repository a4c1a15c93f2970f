import type { ErrorCode } from "../../src/platform/errors/index.ts";
import type { CliOptions, CliResult } from "../support/built-cli.ts";
import type { RunningUp } from "../support/up.ts";

export interface ProvocationContext {
  /** Runs the built CLI in a clean environment. */
  cli(args: readonly string[], options?: CliOptions): Promise<CliResult>;
  /**
   * Runs a program of a user of the library: the body of an async function that finds the built
   * package as `tessera`. Ends as the CLI would with the error it throws.
   */
  library(source: string): Promise<Provoked>;
  /** An empty folder, removed afterwards. */
  readonly tempDir: string;
  /**
   * Starts the control plane. Without arguments it is one that others use too, and goes on when it is
   * stopped here. Whatever is still up afterwards is stopped.
   */
  startUp(args?: readonly string[], env?: Readonly<Record<string, string>>): Promise<RunningUp>;
}

/** What came of it. At least one of the two numbers is there. */
export interface Provoked {
  readonly exitCode?: number;
  readonly httpStatus?: number;
  /** Where the code must appear: stderr, or the body of the answer. */
  readonly text: string;
}

/** A way a user meets an error. Every code of the table needs at least one. */
export interface Provocation {
  readonly code: ErrorCode;
  /** What the user did, in a few words. */
  readonly how: string;
  provoke(context: ProvocationContext): Promise<Provoked>;
}

/** What a run of the CLI came to. */
export function fromCli({ code, stderr }: CliResult): Provoked {
  return { exitCode: code, text: stderr };
}

/** What a request came to. */
export async function fromResponse(response: Response): Promise<Provoked> {
  return { httpStatus: response.status, text: await response.text() };
}
