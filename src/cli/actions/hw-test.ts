import { resolve } from "node:path";
import type { ScenarioOptions, ScenarioResult } from "../../hardware/harness/index.ts";
import { type ExitCode, exitCodes, TesseraError } from "../../platform/errors/index.ts";
import type { ExperimentOutcome } from "../../platform/words.ts";
import { openFaultClient } from "../hw/fault-client.ts";
import { readTestFlags } from "../hw/test/request.ts";
import type { Action, Invocation } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";

const codes: Readonly<Record<ExperimentOutcome, ExitCode>> = {
  pass: exitCodes.good,
  fail: exitCodes.failed,
  inconclusive: exitCodes.undecided,
};

/** `tessera hw test`. */
export const run: Action = async (invocation) => {
  const { options, signal } = invocation;
  const flags = readTestFlags(options);
  const isDry = options["dryRun"] === true;
  if (!isDry && options["enableHwFaults"] !== true) {
    throw new TesseraError("E_HW_DISABLED", { what: "this test" });
  }
  const onProgress = progressOf(invocation);
  await using api = await openFaultClient(invocation);
  const scenario = { ...flags, ...(await clusterOf(invocation)), api, onProgress, signal };
  if (isDry) return await plan(invocation, scenario);
  const { runScenario } = await import("../../hardware/harness/index.ts");
  const result = await runScenario(scenario);
  await report(invocation, result, flags);
  return codes[result.judgement.outcome];
};

/** Where the cluster is, by flags and configuration. */
async function clusterOf(invocation: Invocation): Promise<Partial<ScenarioOptions>> {
  const { kubeconfig, context } = (await invocation.config()).values.kubernetes;
  return {
    clock: invocation.clock,
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined ? {} : { context }),
  };
}

/** A line on stderr for each step, with the seconds since the start. */
function progressOf({ clock, globals, io }: Invocation): (text: string) => void {
  const startedMs = clock.monotonicMs();
  if (globals.quiet === true) return () => {};
  return (text) => {
    const seconds = ((clock.monotonicMs() - startedMs) / 1000).toFixed(1);
    writeLine(io.stderr, `${seconds.padStart(7)} s  ${text}`);
  };
}

async function plan(invocation: Invocation, options: ScenarioOptions): Promise<ExitCode> {
  const { globals, io } = invocation;
  const { ManagedDeployment } = await import("../../hardware/harness/index.ts");
  await using d = await ManagedDeployment.start(options);
  const { xid = 79, sequence } = options;
  const plans = await d.planHwFault(sequence === undefined ? { xid } : { xid, sequence });
  const { showPlans } = await import("../hw/test/show.ts");
  if (globals.json) writeJson(io.stdout, plans);
  else for (const line of showPlans(plans)) writeLine(io.stdout, line);
  return plans.every(({ allowed }) => allowed) ? exitCodes.good : exitCodes.failed;
}

async function report(
  invocation: Invocation,
  result: ScenarioResult,
  flags: ScenarioOptions,
): Promise<void> {
  const { globals, io, options } = invocation;
  const [{ recoveryReport }, { reporterFor }, { createFileReporter }, { testDocument }] =
    await Promise.all([
      import("../../hardware/harness/index.ts"),
      import("../reporter.ts"),
      import("../../platform/reporters/index.ts"),
      import("../hw/test/show.ts"),
    ]);
  const { workload, namespace } = flags;
  const name = typeof workload === "object" && "name" in workload ? workload.name : "";
  const made = recoveryReport({ ...result, subject: `${namespace}/${name}` });
  const { html } = options;
  if (typeof html === "string") {
    await createFileReporter({ path: resolve(io.cwd, html), format: "html" }).onEnd?.(made);
  }
  await reporterFor(invocation, { ownJson: true }).onEnd(made);
  if (globals.json) writeJson(io.stdout, testDocument(result));
}
