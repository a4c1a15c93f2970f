import assert from "node:assert/strict";
import { homedir } from "node:os";
import { dirname, relative } from "node:path";
import { readEnvironment } from "./environment.ts";
import { findConfigFile } from "./find-file.ts";
import { findSetting, type KnownSetting, knownSettings } from "./known-settings.ts";
import { Problems } from "./problems.ts";
import { readConfigText } from "./read-file.ts";
import { type Candidate, readValue } from "./read-value.ts";
import type { Config, ConfigEntry, LoadConfigOptions, ResolvedConfig } from "./resolved-config.ts";
import { rootSection } from "./sections/root.ts";

type Candidates = ReadonlyMap<string, Candidate>;

/** See `loadConfig`. */
export async function resolveConfig(options: LoadConfigOptions): Promise<ResolvedConfig> {
  const problems = new Problems();
  const home = options.env["HOME"] || homedir();
  const file = await findConfigFile(options, home);
  const sources: readonly Candidates[] = [
    fromFlags(options),
    fromEnvironment(options, problems),
    file === undefined ? new Map() : await fromFile(file, options.cwd, problems),
  ];
  const entries: ConfigEntry[] = [];
  for (const known of knownSettings) {
    // Every source is read, also where another wins: a wrong line is wrong even when overridden.
    const said = sources
      .flatMap((source) => source.get(known.key) ?? [])
      .map((candidate) => readValue(known, candidate, { home, problems }));
    entries.push(said[0] ?? defaultOf(known, entries, { env: options.env, home }));
  }
  problems.throwIfAny();
  return new FrozenConfig(entries, file);
}

function fromFlags({ flags = {}, cwd }: LoadConfigOptions): Candidates {
  return new Map(
    Object.entries(flags).map(([key, { flag, value }]) => {
      assert(findSetting(key) !== undefined, `${flag} sets ${key}, which is not a setting`);
      return [key, { value, source: "flag", place: { name: flag }, folder: cwd }];
    }),
  );
}

function fromEnvironment({ env, cwd }: LoadConfigOptions, problems: Problems): Candidates {
  return new Map(
    [...readEnvironment(env, problems)].map(([key, { variable, text }]) => [
      key,
      { value: text, source: "environment", place: { name: variable }, folder: cwd },
    ]),
  );
}

async function fromFile(path: string, cwd: string, problems: Problems): Promise<Candidates> {
  const fromHere = relative(cwd, path);
  const file = fromHere === "" || fromHere.startsWith("../") ? path : fromHere;
  const text = await readConfigText(path, file);
  // The parser is only loaded when there is a file to parse.
  const { readYaml } = await import("./yaml-source.ts");
  const values = readYaml(text, { file, root: rootSection, problems });
  return new Map(
    [...values].map(([key, { value, line, lineAt }]) => [
      key,
      { value, source: "file", place: { name: file, line }, folder: dirname(path), lineAt },
    ]),
  );
}

/** A default is written as a user would write it, and read by the same rules. */
function defaultOf(
  known: KnownSetting,
  earlier: readonly ConfigEntry[],
  { env, home }: { readonly env: LoadConfigOptions["env"]; readonly home: string },
): ConfigEntry {
  const { key, setting } = known;
  if (setting.default === undefined) {
    const origin = { source: "default", where: "default" } as const;
    return { key, value: undefined, origin, secret: false };
  }
  const value = (key: string) => earlier.find((entry) => entry.key === key)?.value;
  const said =
    typeof setting.default === "function"
      ? (setting.default as (context: object) => unknown)({ env, home, value })
      : setting.default;
  const problems = new Problems();
  const candidate = {
    value: said,
    source: "default",
    place: { name: "default" },
    folder: home,
  } as const;
  const entry = readValue(known, candidate, { home, problems });
  assert(problems.count === 0, `the default of ${key} is not valid`);
  return entry;
}

class FrozenConfig implements ResolvedConfig {
  readonly values: Config;
  readonly file: string | undefined;
  readonly #entries: readonly ConfigEntry[];

  constructor(entries: readonly ConfigEntry[], file: string | undefined) {
    this.#entries = Object.freeze(entries.map((entry) => Object.freeze(entry)));
    this.file = file;
    this.values = deepFreeze(build(entries)) as unknown as Config;
  }

  origin(key: string) {
    const entry = this.#entries.find((other) => other.key === key);
    assert(entry !== undefined, `${key} is not a setting`);
    return entry.origin;
  }

  entries(): readonly ConfigEntry[] {
    return this.#entries;
  }
}

function build(entries: readonly ConfigEntry[]): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const { key, value } of entries) {
    const target = findSetting(key)?.target ?? [];
    const name = target.at(-1);
    assert(name !== undefined);
    let group = root;
    for (const step of target.slice(0, -1)) {
      group = (group[step] ??= {}) as Record<string, unknown>;
    }
    if (value !== undefined) group[name] = value;
  }
  return root;
}

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}
