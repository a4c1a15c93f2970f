import { hostname } from "node:os";
import { resolve } from "node:path";
import {
  type ExitCode,
  exitCodes,
  isTesseraError,
  messageOf,
  TesseraError,
} from "../../platform/errors/index.ts";
import type { Reporter } from "../../platform/reporters/index.ts";
import type { Execution } from "../../validation/checks/index.ts";
import { rankLauncherOf } from "../agent/rank-launcher.ts";
import { type CheckFlags, checkFlags, splitProfile } from "../check/flags.ts";
import {
  type CheckAbout,
  leaveFilesOfBrokenRun,
  writeCheckPage,
  writeReports,
} from "../check/page.ts";
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
    if (invocation.options["html"] !== undefined) {
      throw usageError("check run", "`--html`: the result of a run is handed in, and has no page");
    }
    const { runJob } = await import("../check/run-job.ts");
    return runJob(invocation, { run: job, flags });
  }
  if (flags.resultUrl !== undefined || flags.resultDir !== undefined) {
    const problem = "there is nothing to hand in without a run, which TESSERA_RUN_ID names";
    throw usageError("check run", `\`--result-url\` and \`--result-dir\`: ${problem}`);
  }
  return runByHand(invocation, flags);
};

async function runByHand(invocation: Invocation, flags: CheckFlags): Promise<ExitCode> {
  const { clock, globals, io, signal } = invocation;
  if (flags.check === undefined) throw usageError("check run", "Name the check to run");
  const [checks, { createRng, randomSeed }, config] = await Promise.all([
    import("../../validation/checks/index.ts"),
    import("../../platform/rng/index.ts"),
    invocation.config(),
  ]);
  const { profile, options } = splitProfile(flags.checkOptions ?? {}, flags.profile);
  const { models } = await checks.findGpus({ clock, signal, env: io.env });
  const host = checks.describeCheckHost(models, io.env);
  const plugIns = checks.findPlugIns(config.values.validation.plugins);
  const own = checks.withPlugIn(plugIns, { name: flags.check, options: inFolder(options, io.cwd) });
  const rng = createRng(config.values.seed ?? randomSeed());
  const timeoutMs = flags.timeoutMs ?? timeoutMsDefault;
  const how = { profile, host, seed: rng.seed, timeoutMs };
  const prepared = await toldWhenUnavailable(
    invocation,
    { ...how, name: flags.check, options: own },
    () => checks.prepareCheck(flags.check ?? "", own, host),
  );
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
      rng: rng.stream("check"),
      signal,
      env: io.env,
      ranks: rankLauncherOf(invocation),
      log: (note) => {
        if (globals.verbose) writeLine(io.stderr, note);
        else reporter.onProgress({ id: check.name, done: ++lines, note });
      },
      timeoutMs,
    });
    return await tell(invocation, execution, { ...how, ...prepared, reporter });
  } finally {
    reporter.onAbort();
  }
}

/** A check that cannot run here leaves files, too: they say that nothing is decided, and why. */
async function toldWhenUnavailable<T>(
  invocation: Invocation,
  { name, ...about }: Omit<CheckAbout, "check"> & { readonly name: string },
  prepare: () => T,
): Promise<T> {
  try {
    return prepare();
  } catch (thrown) {
    if (isTesseraError(thrown) && thrown.exitCode === exitCodes.undecided) {
      const nothing = { figures: {}, hardFacts: [], facts: {} };
      const endedAtMs = invocation.clock.nowMs();
      const result = { outcome: "error", error: thrown.message, endedAtMs, ...nothing } as const;
      const check = { name, title: "" };
      await leaveFilesOfBrokenRun(invocation, { result, thrown }, { ...about, check });
    }
    throw thrown;
  }
}

/** Reports how a run ended, in every form that was asked for. Throws what ended it, unless it proved something. */
async function tell(
  invocation: Invocation,
  execution: Execution,
  { reporter, ...about }: CheckAbout & { readonly reporter: Required<Reporter> },
): Promise<ExitCode> {
  const { check } = about;
  const { outcome, hardFacts } = execution.result;
  // Something that was proved wrong is worth more than the reason why no more was found.
  if (outcome !== "completed" && hardFacts.length === 0) {
    await leaveFilesOfBrokenRun(invocation, execution, about);
    throw asFailure(execution.thrown, check.name);
  }
  const [{ createMultiplexer, itemsOf, verdictOf }, { checkReport }, words] = await Promise.all([
    import("../../platform/reporters/index.ts"),
    import("../../validation/checks/report/index.ts"),
    import("../../platform/words.ts"),
  ]);
  const wholeFacts = invocation.globals.json ?? false;
  const report = checkReport(execution, { ...about, hostName: hostname(), wholeFacts });
  for (const [index, item] of itemsOf(report).entries()) {
    const id = index === 0 ? check.name : item.name;
    if (index > 0) reporter.onItemStart({ id, name: item.name });
    reporter.onItemEnd({ id, item });
  }
  const code = words.exitCodeOfVerdict(verdictOf(report));
  const page = { onEnd: () => writeCheckPage(invocation, execution, about) };
  await writeReports(invocation, code, () => createMultiplexer([page, reporter]).onEnd(report));
  return code;
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
