import { resolve } from "node:path";
import { type ExitCode, exitCodes } from "../../platform/errors/index.ts";
import type { Reporter } from "../../platform/reporters/index.ts";
import { answerInspection } from "../../runtime/cuda/libraries/answer-inspection.ts";
import type { Action, Invocation } from "../invocation.ts";
import { writeJson } from "../output.ts";

/** `tessera doctor`: asks every probe and reports what it says. */
export const run: Action = async (invocation) => {
  const { env, stdout } = invocation.io;
  // The doctor's own question to a second process of itself, not a user's.
  if (answerInspection(env, stdout)) return exitCodes.good;
  return await examine(invocation);
};

async function examine(invocation: Invocation): Promise<ExitCode> {
  const { clock, io, globals, signal } = invocation;
  const [{ values: config }, { allProbes }, doctor, { doctorItem, doctorReport }, reporter] =
    await Promise.all([
      invocation.config(),
      import("../probes.ts"),
      import("../../platform/doctor/index.ts"),
      import("../../platform/reporters/index.ts"),
      reporterOf(invocation),
    ]);
  const probes = allProbes(config);
  const startedAtMs = clock.nowMs();
  const startedMs = clock.monotonicMs();
  reporter.onBegin({ title: "tessera doctor", subject: "this machine", itemsTotal: probes.length });
  try {
    const findings = await doctor.runDoctor(probes, {
      clock,
      env: io.env,
      signal,
      onStart: ({ id, title }) => reporter.onItemStart({ id, name: title }),
      onFinding: (finding) => reporter.onItemEnd({ id: finding.id, item: doctorItem(finding) }),
    });
    const diagnosis = doctor.createDiagnosis(doctor.describeHost(), findings);
    const durationMs = clock.monotonicMs() - startedMs;
    await reporter.onEnd(doctorReport(diagnosis, { startedAtMs, durationMs }));
    if (globals.json) writeJson(io.stdout, diagnosis);
    return doctor.exitCodeOf(diagnosis);
  } finally {
    reporter.onAbort();
  }
}

/** What follows the visit: the screen, and every file that was asked for. */
async function reporterOf(invocation: Invocation): Promise<Required<Reporter>> {
  const { io, clock, globals, options } = invocation;
  const { createFileReporter, createMultiplexer, createProgressReporter } = await import(
    "../../platform/reporters/index.ts"
  );
  const files = (["html", "markdown"] as const).flatMap((format) => {
    const path = options[format];
    return typeof path === "string"
      ? [createFileReporter({ path: resolve(io.cwd, path), format })]
      : [];
  });
  if (!globals.json) {
    const { reporterFor } = await import("../reporter.ts");
    return createMultiplexer([reporterFor(invocation), ...files]);
  }
  // The diagnosis goes to stdout in its own shape; all that is left is to show that work goes on.
  const showsBars = !globals.quiet && io.stderr.isTTY === true && io.env["TERM"] !== "dumb";
  const bars = showsBars ? [createProgressReporter({ stream: io.stderr, clock, env: io.env })] : [];
  const junit =
    globals.junit === undefined
      ? []
      : [createFileReporter({ path: resolve(io.cwd, globals.junit), format: "junit" })];
  return createMultiplexer([...bars, ...junit, ...files]);
}
