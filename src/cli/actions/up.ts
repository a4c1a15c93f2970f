import { once } from "node:events";
import { type ControlPlane, startControlPlane } from "../../control/start-control-plane.ts";
import { exitCodes } from "../../platform/errors/index.ts";
import type { Action, Invocation } from "../invocation.ts";
import { writeLine } from "../output.ts";
import { ownProgram } from "../own-program.ts";
import { allProbes } from "../probes.ts";
import { findPresetsDir } from "../up/presets-dir.ts";
import { describeDoctorRun, describeStep } from "../up/progress.ts";
import { findWebDir } from "../up/web-dir.ts";

/** `tessera up`: serves until it is told to stop, which is how it is meant to end. */
export const run: Action = async (invocation) => {
  const { io, clock, globals, signal } = invocation;
  const [resolved, log] = await Promise.all([invocation.config(), invocation.log()]);
  const config = resolved.values;
  const progress = (text: string) => {
    if (globals.quiet !== true) writeLine(io.stderr, text);
  };
  progress(`data folder  ${config.dataDir}`);
  const program = ownProgram();
  const webDir = findWebDir(program);
  const presetsDir = findPresetsDir(program);
  const plane = await startControlPlane({
    config,
    validation: config,
    env: io.env,
    command: [process.execPath, program],
    ...(webDir === undefined ? {} : { webDir }),
    ...(presetsDir === undefined ? {} : { presetsDir }),
    probes: allProbes(config),
    clock,
    log,
    onStep: (step) => progress(describeStep(step)),
  });
  try {
    if (await firstVisit(plane, { signal, progress })) {
      announce(invocation, { event: "ready", url: plane.url }, `tessera is ready at ${plane.url}`);
      await untilAborted(signal);
    }
  } finally {
    await plane.stop();
  }
  announce(invocation, { event: "stopped" }, "tessera stopped");
  return exitCodes.good;
};

/** Runs the doctor; false when the stop came first. */
async function firstVisit(
  plane: ControlPlane,
  options: { readonly signal: AbortSignal; readonly progress: (text: string) => void },
): Promise<boolean> {
  const { signal, progress } = options;
  const stopDoctor = () => plane.doctor.stop();
  signal.addEventListener("abort", stopDoctor, { once: true });
  try {
    if (signal.aborted) return false;
    progress(describeDoctorRun(await plane.doctor.run()));
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  } finally {
    signal.removeEventListener("abort", stopDoctor);
  }
}

/** One line on stdout: a sentence for people, or JSON for programs. */
function announce(invocation: Invocation, event: object, sentence: string): void {
  const { globals, io } = invocation;
  writeLine(io.stdout, globals.json === true ? JSON.stringify(event) : sentence);
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}
