import { resolve } from "node:path";
import { exitCodeOfVerdict } from "../../platform/words.ts";
import type { StressResult } from "../../runtime/stress/index.ts";
import type { Action, Invocation } from "../invocation.ts";
import { writeLine } from "../output.ts";
import { reporterFor } from "../reporter.ts";
import { liveLine } from "../stress/live-line.ts";
import { type PreparedStress, prepareStress } from "../stress/prepare.ts";
import { readStressRequest, type StressRequest } from "../stress/request.ts";

/** `tessera stress`: full load, every result verified, how steady it was. */
export const run: Action = async (invocation) => {
  const { clock, globals, io, options, signal } = invocation;
  const request = readStressRequest(invocation);
  const startedAtMs = clock.nowMs();
  const [reporters, { stressReport }] = await Promise.all([
    import("../../platform/reporters/index.ts"),
    import("../stress/report.ts"),
  ]);
  const prepared = await prepareStress(request, invocation);
  const { engine } = prepared;
  try {
    const html = options["html"];
    const files =
      typeof html === "string"
        ? [reporters.createFileReporter({ path: resolve(io.cwd, html), format: "html" })]
        : [];
    const reporter = reporters.createMultiplexer([reporterFor(invocation), ...files]);
    try {
      const result = await measure(request, prepared, { invocation, reporter });
      const notes = [...prepared.notes, ...notesOf(request, result)];
      const report = stressReport(engine, result, { kind: request.kind, startedAtMs, notes });
      for (const item of report.sections.flatMap(({ items }) => items)) {
        const id = `${item.name} `;
        reporter.onItemStart({ id, name: item.name });
        reporter.onItemEnd({ id, item });
      }
      await reporter.onEnd(report);
      if (!globals.json && !globals.quiet) await drawPlot(invocation, prepared, result);
      signal.throwIfAborted();
      return exitCodeOfVerdict(reporters.verdictOf(report));
    } finally {
      reporter.onAbort();
    }
  } finally {
    await engine.close();
  }
};

async function measure(
  request: StressRequest,
  { engine, hardware }: PreparedStress,
  {
    invocation: { clock, signal },
    reporter,
  }: { readonly invocation: Invocation; readonly reporter: ReturnType<typeof reporterFor> },
): Promise<StressResult> {
  const { runStress } = await import("../../runtime/stress/index.ts");
  const { kind, durationMs } = request;
  reporter.onBegin({
    title: `Stress ${kind}`,
    subject: `${engine.device} (${engine.deviceName}): ${engine.description}`,
  });
  reporter.onItemStart({ id: kind, name: kind });
  const total = Math.ceil(durationMs / 1000);
  return runStress({
    engine,
    clock,
    signal,
    durationMs,
    ...(hardware === undefined ? {} : { hardware }),
    onProgress: (progress) => {
      const done = Math.min(total, Math.floor(progress.elapsedMs / 1000));
      reporter.onProgress({ id: kind, done, total, note: liveLine(engine, progress) });
    },
  });
}

function notesOf({ corrupt }: StressRequest, { interrupted }: StressResult): readonly string[] {
  const broken =
    corrupt === undefined
      ? []
      : [`broken on purpose: bit ${corrupt.bit} of the result of iteration ${corrupt.iteration}`];
  return [...broken, ...(interrupted ? ["interrupted before its time was up"] : [])];
}

async function drawPlot(
  { io }: Invocation,
  { engine }: PreparedStress,
  { points }: StressResult,
): Promise<void> {
  const [{ textPlotOver }, { ratesOver }] = await Promise.all([
    import("../stress/text-plot.ts"),
    import("../../runtime/stress/index.ts"),
  ]);
  const { amount, unit } = engine.work;
  const lines = textPlotOver(ratesOver(points, amount), { unit: `${unit}/s` });
  for (const line of ["", ...lines]) writeLine(io.stdout, line);
}
