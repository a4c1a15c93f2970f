import { resolve } from "node:path";
import type { FleetStudy } from "../../chaos/sim/fleet/study/index.ts";
import { exitCodes } from "../../platform/errors/index.ts";
import { readFleetRequest } from "../chaos/fleet/request.ts";
import type { Action, Invocation } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";

const defaultSeed = "0";

/** `tessera chaos fleet`: a job over months on machines that fail. */
export const run: Action = async (invocation) => {
  const { clock, globals, io, options } = invocation;
  const startedAtMs = clock.nowMs();
  const startedMs = clock.monotonicMs();
  const { scenario, runs } = readFleetRequest(options);
  const [{ studyFleet }, { fleetDocument }, { showFleet }] = await Promise.all([
    import("../../chaos/sim/fleet/study/index.ts"),
    import("../chaos/fleet/document.ts"),
    import("../chaos/fleet/show.ts"),
  ]);
  const study = studyFleet(scenario, { seed: globals.seed ?? defaultSeed, runs });
  await writeFiles(invocation, study, {
    startedAtMs,
    durationMs: clock.monotonicMs() - startedMs,
  });
  if (globals.json) writeJson(io.stdout, fleetDocument(study));
  else for (const line of showFleet(study)) writeLine(io.stdout, line);
  return exitCodes.good;
};

async function writeFiles(
  { globals, io, options }: Invocation,
  study: FleetStudy,
  times: { readonly startedAtMs: number; readonly durationMs: number },
): Promise<void> {
  const wanted = [
    { path: options["html"], format: "html" },
    { path: globals.junit, format: "junit" },
  ] as const;
  if (wanted.every(({ path }) => path === undefined)) return;
  const [{ fleetReport }, { createFileReporter }] = await Promise.all([
    import("../chaos/fleet/report.ts"),
    import("../../platform/reporters/index.ts"),
  ]);
  const report = fleetReport(study, times);
  for (const { path, format } of wanted) {
    if (typeof path !== "string") continue;
    await createFileReporter({ path: resolve(io.cwd, path), format }).onEnd?.(report);
  }
}
