import { resolve } from "node:path";
import { exitCodes } from "../../platform/errors/index.ts";
import type { Action } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";
import { parsePolicies } from "../policy/parse-policies.ts";
import { readLogFile } from "../policy/read-log-file.ts";
import { showMetrics } from "../policy/show-metrics.ts";

/** Draws that anyone can have again; `--seed` gives others. */
const defaultSeed = "0";

/** `tessera policy replay`: the same log through each policy. */
export const run: Action = async (invocation) => {
  const { args, options, globals, io, signal } = invocation;
  const names = parsePolicies(options["policies"]);
  const [{ values }, { createPolicy }, { replayPolicy }, { createRng }] = await Promise.all([
    invocation.config(),
    import("../../validation/prioritize/index.ts"),
    import("../../validation/replay/index.ts"),
    import("../../platform/rng/index.ts"),
  ]);
  const log = await readLogFile(resolve(io.cwd, args[0] ?? ""), signal);
  const rng = createRng(values.seed ?? defaultSeed);
  const results = names.map((name) => {
    signal.throwIfAborted();
    return { name, metrics: replayPolicy(log, createPolicy(name, log.fleet, { rng }), { rng }) };
  });
  if (globals.json) {
    const policies = Object.fromEntries(results.map(({ name, metrics }) => [name, metrics]));
    writeJson(io.stdout, { policies });
  } else {
    for (const line of showMetrics(results)) writeLine(io.stdout, line);
  }
  return exitCodes.good;
};
