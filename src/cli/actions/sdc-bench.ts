import { resolve } from "node:path";
import { exitCodes } from "../../platform/errors/index.ts";
import type { SdcBenchResult } from "../../runtime/verify/bench/index.ts";
import type { Action, Invocation } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";
import { readSdcBenchSizes } from "../sdc/request.ts";

/** Draws that anyone can have again; `--seed` gives others. */
const defaultSeed = "0";

/** `tessera sdc bench`: what detectors of silent corruption find, and what escapes them. */
export const run: Action = async (invocation) => {
  const { clock, globals, io } = invocation;
  const sizes = readSdcBenchSizes(invocation);
  const startedAtMs = clock.nowMs();
  const startedMs = clock.monotonicMs();
  const result = await measure(invocation, sizes);
  const durationMs = clock.monotonicMs() - startedMs;
  await writeHtml(invocation, result, { startedAtMs, durationMs });
  if (globals.json) {
    writeJson(io.stdout, { ...result, provenance: { campaign: "modelled", others: "measured" } });
    return exitCodes.good;
  }
  const { showSdcBench } = await import("../sdc/show.ts");
  for (const line of showSdcBench(result)) writeLine(io.stdout, line);
  return exitCodes.good;
};

async function measure(
  { clock, globals, io, signal }: Invocation,
  sizes: ReturnType<typeof readSdcBenchSizes>,
): Promise<SdcBenchResult> {
  const [{ createProgressReporter }, { createRng }, { runSdcBench }] = await Promise.all([
    import("../../platform/reporters/index.ts"),
    import("../../platform/rng/index.ts"),
    import("../../runtime/verify/bench/index.ts"),
  ]);
  const shows = !globals.quiet && io.stderr.isTTY === true && io.env["TERM"] !== "dumb";
  const bar = shows ? createProgressReporter({ stream: io.stderr, clock, env: io.env }) : undefined;
  const id = "sdc bench";
  bar?.onBegin?.({ title: id, subject: "detectors of silent corruption" });
  bar?.onItemStart?.({ id, name: id });
  try {
    return await runSdcBench({
      ...sizes,
      rng: createRng(globals.seed ?? defaultSeed),
      clock,
      signal,
      onProgress: (progress) => bar?.onProgress?.({ id, ...progress }),
    });
  } finally {
    bar?.onAbort?.();
  }
}

async function writeHtml(
  { io, options }: Invocation,
  result: SdcBenchResult,
  about: { readonly startedAtMs: number; readonly durationMs: number },
): Promise<void> {
  const html = options["html"];
  if (typeof html !== "string") return;
  const [{ sdcBenchReport }, { renderHtml }, { writeFileAtomic }] = await Promise.all([
    import("../sdc/report.ts"),
    import("../../platform/reporters/index.ts"),
    import("../../platform/files/index.ts"),
  ]);
  await writeFileAtomic(resolve(io.cwd, html), renderHtml(sdcBenchReport(result, about)));
}
