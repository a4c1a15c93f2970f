import { Option } from "commander";
import { type FlagValue, loadConfig, type ResolvedConfig } from "../platform/config/index.ts";
import type { Logger } from "../platform/log/index.ts";
import type { Clock } from "../platform/time/clock.ts";
import { usesColor } from "./color.ts";
import type { RunRequest } from "./command-line.ts";
import type { OptionSpec } from "./command-spec.ts";
import { globalOptions } from "./global-options.ts";
import type { CommandIo, Invocation } from "./invocation.ts";

/** What a command line asks for, with the world it happens in. */
export function createInvocation(
  request: RunRequest,
  world: { readonly io: CommandIo; readonly clock: Clock; readonly signal: AbortSignal },
): Invocation {
  const { args, options, globals } = request;
  const { io, clock } = world;
  let config: Promise<ResolvedConfig> | undefined;
  let log: Promise<Logger> | undefined;
  const invocation: Invocation = {
    ...world,
    args,
    options,
    globals,
    config: () => {
      const { env, cwd } = io;
      config ??= loadConfig({ file: globals.config, env, cwd, flags: flagValues(request) });
      return config;
    },
    log: () => {
      log ??= openLog(invocation, clock);
      return log;
    },
  };
  return invocation;
}

async function openLog({ config, io, globals }: Invocation, clock: Clock): Promise<Logger> {
  const [{ values }, { createLogger }] = await Promise.all([
    config(),
    import("../platform/log/index.ts"),
  ]);
  const color = usesColor(io.stderr, { globals, env: io.env });
  return createLogger({ ...values.log, stream: io.stderr, clock, color });
}

/** The configuration keys that options of this command line set. */
function flagValues({ spec, options, globals }: RunRequest): Record<string, FlagValue> {
  const level = logLevelFlag(globals);
  return {
    ...valuesOf(globalOptions, globals as Readonly<Record<string, unknown>>),
    ...valuesOf(spec.options ?? [], options),
    ...(level === undefined ? {} : { "log.level": level }),
  };
}

function logLevelFlag(globals: RunRequest["globals"]): FlagValue | undefined {
  if (globals.verbose) return { flag: "--verbose", value: "debug" };
  return globals.quiet ? { flag: "--quiet", value: "error" } : undefined;
}

function valuesOf(
  specs: readonly OptionSpec[],
  given: Readonly<Record<string, unknown>>,
): Record<string, FlagValue> {
  const values: Record<string, FlagValue> = {};
  for (const { flags, description, configKey } of specs) {
    const option = new Option(flags, description);
    const value = given[option.attributeName()];
    if (configKey === undefined || value === undefined) continue;
    values[configKey] = { flag: option.long ?? option.short ?? flags, value };
  }
  return values;
}
