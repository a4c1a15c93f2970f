import type { rootSection } from "./sections/root.ts";
import type { ConfigOf } from "./setting.ts";

/** Everything that can be configured, resolved; frozen. */
export type Config = ConfigOf<(typeof rootSection)["items"]>;

/** Where a value was said, nearest to the user first. */
export type OriginSource = "flag" | "environment" | "file" | "default";

export interface Origin {
  readonly source: OriginSource;
  /** The place a person can go to: `--port`, `TESSERA_SERVER_PORT`, `tessera.yaml:12`, `default`. */
  readonly where: string;
}

export interface ConfigEntry {
  /** The key as the file spells it: `server.bodyLimit`. */
  readonly key: string;
  /** The resolved value; undefined when the key is unset and has no default. */
  readonly value: unknown;
  readonly origin: Origin;
  /** The value carries a secret and must be masked when shown. */
  readonly secret: boolean;
}

export interface ResolvedConfig {
  readonly values: Config;
  /** The configuration file that was read; undefined when there is none. */
  readonly file: string | undefined;
  /** Where a key's value comes from. Throws for a key that does not exist. */
  origin(key: string): Origin;
  /** Every key, in the order of the documentation. */
  entries(): readonly ConfigEntry[];
}

/** A value given on the command line for a configuration key. */
export interface FlagValue {
  /** The flag as the user types it: `--port`. */
  readonly flag: string;
  readonly value: unknown;
}

export interface LoadConfigOptions {
  /** The file named by `--config`; it must exist. Without it the usual places are searched. */
  readonly file?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working directory: relative paths of flags and of the environment count from here. */
  readonly cwd: string;
  /** Values from the command line, by configuration key. */
  readonly flags?: Readonly<Record<string, FlagValue>>;
}
