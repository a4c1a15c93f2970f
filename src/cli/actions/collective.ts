import { resolve } from "node:path";
import { exitCodes } from "../../platform/errors/index.ts";
import { slurmOptionNames } from "../agent/slurm/options.ts";
import { carryOut } from "../collective/carry-out.ts";
import { jsonOf, type ModelledPoint, modelPoints } from "../collective/points.ts";
import { type CollectiveRequest, readRequest } from "../collective/request.ts";
import { showResult } from "../collective/show.ts";
import { collectiveUsage } from "../collective/usage.ts";
import type { Action, Invocation } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";

/** The seed of the simulated devices' bytes when none is given. */
const defaultSeed = "0";

/** `tessera collective`: how long a collective takes, and with a tensor also what it gives. */
export const run: Action = async (invocation) => {
  const { clock, globals, io, options } = invocation;
  if (options["measured"] === true) {
    const { runMeasured } = await import("../collective/run-measured.ts");
    return runMeasured(invocation);
  }
  refuseWithoutMeasured(options);
  const startedAtMs = clock.nowMs();
  const startedMs = clock.monotonicMs();
  const request = await readRequest(invocation);
  const points = modelPoints(request);
  const { tensor } = request;
  const seed = globals.seed ?? defaultSeed;
  const digest = tensor === undefined ? undefined : await carryOut(request, { tensor, seed });
  if (typeof options["html"] === "string") {
    const durationMs = clock.monotonicMs() - startedMs;
    await writeHtml(invocation, request, { points, digest, startedAtMs, durationMs });
  }
  if (globals.json) {
    writeJson(io.stdout, jsonOf(request, points, digest));
    return exitCodes.good;
  }
  for (const line of showResult(request, points, digest)) writeLine(io.stdout, line);
  return exitCodes.good;
};

const onlyMeasured = [
  ...["ranks", "transport", "iterations", "save", "lose", "manifests", "image"],
  ...slurmOptionNames,
];

function refuseWithoutMeasured(options: Invocation["options"]): void {
  const given = onlyMeasured.find((name) => options[name] !== undefined);
  if (given === undefined) return;
  const flag = given.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw collectiveUsage(`--${flag} is for --measured; give that too.`);
}

async function writeHtml(
  { io, options }: Invocation,
  request: CollectiveRequest,
  result: {
    readonly points: readonly ModelledPoint[];
    readonly digest: string | undefined;
    readonly startedAtMs: number;
    readonly durationMs: number;
  },
): Promise<void> {
  const [{ collectiveReport }, { renderHtml }, { writeFileAtomic }] = await Promise.all([
    import("../collective/report.ts"),
    import("../../platform/reporters/index.ts"),
    import("../../platform/files/index.ts"),
  ]);
  const path = resolve(io.cwd, String(options["html"]));
  await writeFileAtomic(path, renderHtml(collectiveReport(request, result)));
}
