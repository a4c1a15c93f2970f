import type { ResolvedConfig } from "../platform/config/index.ts";
import type { ExitCode } from "../platform/errors/index.ts";
import type { Logger } from "../platform/log/index.ts";
import type { Clock } from "../platform/time/clock.ts";

/** The options every command understands. Absent means "not given". */
export interface GlobalOptions {
  readonly json?: boolean;
  readonly junit?: string;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly color?: boolean;
  readonly config?: string;
  readonly seed?: string;
}

/** The outside world as a command sees it. */
export interface CommandIo {
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** One call of a command, with everything it may use passed in. */
export interface Invocation {
  readonly args: readonly string[];
  /** The command's own options by camelCase name. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly globals: GlobalOptions;
  readonly io: CommandIo;
  readonly clock: Clock;
  /** Aborts on the first SIGINT or SIGTERM; its reason is an E_INTERRUPTED. */
  readonly signal: AbortSignal;
  /** Resolves file, environment and flags, once. */
  config(): Promise<ResolvedConfig>;
  /** The logger of this run, on stderr. */
  log(): Promise<Logger>;
}

/** Does the work of a command and says how it ended. Throws TesseraError for what went wrong. */
export type Action = (invocation: Invocation) => Promise<ExitCode>;
