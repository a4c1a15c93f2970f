import { resolve } from "node:path";
import type { NamedTimeout, TimeoutFile, TimeoutLint } from "../../chaos/timeouts/index.ts";
import { exitCodes } from "../../platform/errors/index.ts";
import { formatDurationMs } from "../../platform/units/index.ts";
import type { Action } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";

/** Files of timeouts are written by hand. */
const sizeBytesMax = 2 ** 20;

/** `tessera chaos lint-timeouts`: timeouts that do not fit together. */
export const run: Action = async ({ args, globals, io }) => {
  const [{ lintTimeouts, parseTimeouts }, { readTextFile }] = await Promise.all([
    import("../../chaos/timeouts/index.ts"),
    import("../../platform/files/index.ts"),
  ]);
  const file = args[0] ?? "";
  const text = await readTextFile(resolve(io.cwd, file), { sizeBytesMax });
  const read = parseTimeouts(text, file);
  const defaults = read.isExperiment ? await defaultsFor(read.timeouts) : [];
  const lint = lintTimeouts(new Map([...defaults, ...read.timeouts]), read.order);
  if (globals.json) writeJson(io.stdout, documentOf(file, read, lint));
  else for (const line of show(file, read, lint)) writeLine(io.stdout, line);
  if (lint.findings.length > 0) return exitCodes.failed;
  // Nothing that was compared proves nothing.
  return lint.compared === 0 ? exitCodes.undecided : exitCodes.good;
};

/** What an experiment has that does not say otherwise. */
async function defaultsFor(
  given: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, number>> {
  const [{ timeoutsByName }, { beatsOfHeartbeat, timeoutDefaults }] = await Promise.all([
    import("../../chaos/timeouts/index.ts"),
    import("../../chaos/experiment/presets/index.ts"),
  ]);
  const heartbeatUs = given.get("heartbeat") ?? timeoutDefaults.heartbeatUs;
  const heartbeatEveryUs = heartbeatUs / beatsOfHeartbeat;
  return timeoutsByName({ ...timeoutDefaults, heartbeatEveryUs });
}

function documentOf(file: string, { lineOf }: TimeoutFile, lint: TimeoutLint): object {
  const place = ({ name, valueUs }: NamedTimeout): object => ({
    name,
    seconds: valueUs / 1e6,
    line: lineOf.get(name) ?? null,
  });
  return {
    file,
    ok: lint.findings.length === 0 && lint.compared > 0,
    compared: lint.compared,
    findings: lint.findings.map(({ rule, inner, outer, why, set }) => ({
      rule,
      inner: place(inner),
      outer: place(outer),
      why,
      set,
    })),
  };
}

function show(
  file: string,
  { lineOf }: TimeoutFile,
  { findings, compared }: TimeoutLint,
): readonly string[] {
  if (compared === 0)
    return [`${file}: no two of these timeouts have a rule in common; nothing was compared.`];
  const pairs = compared === 1 ? "1 pair" : `${compared} pairs`;
  if (findings.length === 0) return [`${file}: ${pairs} of timeouts compared, all fit.`];
  const text = ({ name, valueUs }: NamedTimeout): string =>
    `${name} ${formatDurationMs(valueUs / 1000)}${lineOf.has(name) ? "" : " (the default)"}`;
  const lines: string[] = [];
  for (const { rule, inner, outer, why, set } of findings) {
    lines.push(
      `${file}:${lineOf.get(outer.name) ?? lineOf.get(inner.name) ?? 1}: ${text(inner)} does not fit into ${text(outer)} [${rule}]`,
      `  ${why}`,
      `  ${set}`,
    );
  }
  lines.push(`${findings.length} of ${pairs} of timeouts do not fit.`);
  return lines;
}
