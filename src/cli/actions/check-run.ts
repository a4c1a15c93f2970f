import { resolve } from "node:path";
import {
  type ExitCode,
  isTesseraError,
  messageOf,
  TesseraError,
} from "../../platform/errors/index.ts";
import { rankLauncherOf } from "../agent/rank-launcher.ts";
import { checkFlags, splitProfile } from "../check/flags.ts";
import { readRunEnvironment } from "../check/run-environment.ts";
import type { Action, Invocation } from "../invocation.ts";
import { writeLine } from "../output.ts";
import { reporterFor } from "../reporter.ts";
import { usageError } from "../usage-error.ts";

/** A run by hand may take as long as its check likes, within reason. */
const timeoutMsDefault = 24 * 3_600_000;

/** `tessera check run`: by hand, or as the job of a run when the environment says so. */
export const run: Action = async (invocation) => {
  const flags = checkFlags(invocation);
  if (flags.isGate) {
    const { runGate } = await import("../check/gate/run-gate.ts");
    return runGate(invocation, flags);
  }
  const job = readRunEnvironment(invocation.io.env, flags);
  if (job !== undefined) {
    const { runJob } = await import("../check/run-job.ts");
    return runJob(invocation, { run: job, flags });
  }
  if (flags.resultUrl !== undefined || flags.resultDir !== undefined) {
    const problem = "there is nothing to hand in without a run, which TESSERA_RUN_ID names";
    throw usageError("check run", `\`--result-url\` and \`--result-dir\`: ${problem}`);
  }
  return runByHand(invocation, flags);
};

async function runByHand(
  invocation: Invocation,
  flags: ReturnType<typeof checkFlags>,
): Promise<ExitCode> {
  const { clock, globals, io, signal } = invocation;
  if (flags.check === undefined) throw usageError("check run", "Name the check to run");
  const [
    checks,
    { checkReport },
    { createRng, randomSeed },
    { itemsOf, verdictOf },
    words,
    config,
  ] = await Promise.all([
    import("../../validation/checks/index.ts"),
    import("../check/report.ts"),
    import("../../platform/rng/index.ts"),
    import("../../platform/reporters/index.ts"),
    import("../../platform/words.ts"),
    invocation.config(),
  ]);
  const { profile, options } = splitProfile(flags.checkOptions ?? {}, flags.profile);
  const { models } = await checks.findGpus({ clock, signal, env: io.env });
  const host = checks.describeCheckHost(models, io.env);
  const plugIns = checks.findPlugIns(config.values.validation.plugins);
  const own = checks.withPlugIn(plugIns, { name: flags.check, options: inFolder(options, io.cwd) });
  const prepared = checks.prepareCheck(flags.check, own, host);
  const { check } = prepared;
  const reporter = reporterFor(invocation);
  let lines = 0;
  try {
    reporter.onBegin({ title: `Check ${check.name}`, subject: check.title });
    reporter.onItemStart({ id: check.name, name: check.name });
    const execution = await checks.executeCheck({
      prepared,
      profile,
      host,
      clock,
      rng: createRng(config.values.seed ?? randomSeed()).stream("check"),
      signal,
      env: io.env,
      ranks: rankLauncherOf(invocation),
      log: (note) => {
        if (globals.verbose) writeLine(io.stderr, note);
        else reporter.onProgress({ id: check.name, done: ++lines, note });
      },
      timeoutMs: flags.timeoutMs ?? timeoutMsDefault,
    });
    const { outcome, hardFacts } = execution.result;
    // Something that was proved wrong is worth more than the reason why no more was found.
    if (outcome !== "completed" && hardFacts.length === 0)
      throw asFailure(execution.thrown, check.name);
    const report = checkReport(execution, { check, profile, wholeFacts: globals.json ?? false });
    for (const [index, item] of itemsOf(report).entries()) {
      const id = index === 0 ? check.name : item.name;
      if (index > 0) reporter.onItemStart({ id, name: item.name });
      reporter.onItemEnd({ id, item });
    }
    await reporter.onEnd(report);
    return words.exitCodeOfVerdict(verdictOf(report));
  } finally {
    reporter.onAbort();
  }
}

/** A program that is named by its place is found from where the user stands. */
function inFolder(options: Readonly<Record<string, unknown>>, cwd: string) {
  const { command, plugin } = options;
  if (typeof plugin === "string") return { ...options, plugin: resolve(cwd, plugin) };
  if (!Array.isArray(command)) return options;
  const [program, ...args]: readonly unknown[] = command;
  if (typeof program !== "string" || !program.includes("/")) return options;
  return { ...options, command: [resolve(cwd, program), ...args] };
}

function asFailure(thrown: unknown, check: string): unknown {
  if (isTesseraError(thrown)) return thrown;
  return new TesseraError(
    "E_CHECK_FAILED",
    { check, problem: messageOf(thrown) },
    { cause: thrown },
  );
}
