import type { Action } from "./invocation.ts";

/** An option as the user types it. Without a default: "not given" falls back to the configuration. */
export interface OptionSpec {
  /** Commander's notation: `--port <number>`, `--once`, `-n, --nodes <count>`. */
  readonly flags: string;
  readonly description: string;
  /** The only values allowed, for validation, help and completion. */
  readonly choices?: readonly string[];
  /** The configuration key this option overrides, for example `server.port`. */
  readonly configKey?: string;
  /** What shell completion offers for the value when there are no choices. */
  readonly completes?: "file" | "directory";
}

export interface ArgumentSpec {
  /** Commander's notation: `<file>`, `[name]`, `<files...>`. */
  readonly name: string;
  readonly description: string;
  /** The only values allowed, for validation, help and completion. */
  readonly choices?: readonly string[];
  /** Values worth offering where others are allowed too; only completion uses them. */
  readonly suggestions?: () => readonly string[];
  /** What shell completion offers when there are neither choices nor suggestions. */
  readonly completes?: "file" | "directory";
}

export interface CommandExample {
  readonly command: string;
  readonly shows: string;
}

/**
 * What a command looks like, apart from what it does. Help, completion, docs/cli.md and the parser
 * are all made from this; the action and its imports are loaded only when the command runs.
 */
export interface CommandSpec {
  /** The words after `tessera`: `doctor`, or `config print` for a nested command. */
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  readonly arguments?: readonly ArgumentSpec[];
  readonly options?: readonly OptionSpec[];
  readonly examples: readonly CommandExample[];
  /** False for a command that ends without a report, so that `--junit` is refused. @default true */
  readonly reports?: boolean;
  readonly load: () => Promise<{ readonly run: Action }>;
}
