import { resolve } from "node:path";
import { type ExitCode, exitCodes } from "../../platform/errors/index.ts";
import { writeFileAtomic } from "../../platform/files/index.ts";
import { formatBytes } from "../../platform/units/index.ts";
import { readSlurmPlace } from "../agent/slurm/place.ts";
import type { Invocation } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";
import { measureHere, type OnSize } from "./measure.ts";
import { measureOnSlurm } from "./measure-on-slurm.ts";
import { readMeasuredRequest } from "./measured-request.ts";
import { besideModel, measuredJson, showMeasured } from "./measured-result.ts";
import { saveMeasurement } from "./saved.ts";
import { formatUs } from "./show.ts";
import { collectiveUsage } from "./usage.ts";

/** `tessera collective OP --measured`: real ranks on this host or on Slurm, or the manifests for a cluster. */
export async function runMeasured(invocation: Invocation): Promise<ExitCode> {
  const { clock, globals, io, options } = invocation;
  const request = await readMeasuredRequest(invocation);
  const place = await readSlurmPlace(invocation, "collective", isOnSlurm(options));
  if (options["manifests"] !== undefined) {
    if (options["html"] !== undefined) {
      throw collectiveUsage("--manifests measures nothing here; leave --html out.");
    }
    if (place === undefined) {
      const { printManifests } = await import("./print-manifests.ts");
      return printManifests(invocation, request);
    }
    const { printBatchScript } = await import("./print-batch-script.ts");
    return printBatchScript(invocation, request, place);
  }
  if (options["image"] !== undefined) {
    throw collectiveUsage("--image is for --manifests; give that too.");
  }
  const isLive = !globals.quiet && !globals.json && io.stderr.isTTY === true;
  const atMs = clock.nowMs();
  const startedMs = clock.monotonicMs();
  const onSize: OnSize = ({ bytes, timeUs }) => {
    if (isLive) writeLine(io.stderr, `${formatBytes(bytes)}: ${formatUs(timeUs)}`);
  };
  const measured =
    place === undefined
      ? await measureHere(invocation, request, onSize)
      : await measureOnSlurm(invocation, { place, request, onSize });
  if (typeof options["save"] === "string") {
    await saveMeasurement(resolve(io.cwd, options["save"]), { request, measured, atMs });
  }
  const points = besideModel(request, measured);
  if (typeof options["html"] === "string") {
    const durationMs = clock.monotonicMs() - startedMs;
    const { measuredReport } = await import("./measured-report.ts");
    const { renderHtml } = await import("../../platform/reporters/index.ts");
    const result = { measured, points, startedAtMs: atMs, durationMs };
    const path = resolve(io.cwd, options["html"]);
    await writeFileAtomic(path, renderHtml(measuredReport(request, result)));
  }
  if (globals.json) writeJson(io.stdout, measuredJson(request, measured, points));
  else for (const line of showMeasured(request, measured, points)) writeLine(io.stdout, line);
  return measured.sizes.some(({ wrong }) => wrong > 0) ? exitCodes.failed : exitCodes.good;
}

/** Whether the ranks run, or would run, on a Slurm cluster. @throws E_USAGE */
function isOnSlurm({ on, manifests }: Invocation["options"]): boolean {
  if (on === "slurm" && typeof manifests === "string" && manifests !== "slurm") {
    throw collectiveUsage(`--manifests ${manifests} is for Kubernetes; leave --on out.`);
  }
  return on === "slurm" || manifests === "slurm";
}
