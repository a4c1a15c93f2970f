import { once } from "node:events";
import { resolve } from "node:path";
import type { ClassifiedLine } from "../../validation/classify/index.ts";
import { readRunLines } from "../classify/read-runs.ts";
import { classifyReport } from "../classify/report.ts";
import { showLines } from "../classify/show.ts";
import type { Action, Invocation } from "../invocation.ts";
import { writeLine } from "../output.ts";

/** How many answers are written before the reader's pace is waited for. */
const linesPerWrite = 500;

/** `tessera classify`: what each run of a file says about its node. */
export const run: Action = async (invocation) => {
  const { args, clock, globals, io, options, signal } = invocation;
  const startedAtMs = clock.nowMs();
  const startedMs = clock.monotonicMs();
  const [file = ""] = args;
  const [{ classifyLines }, { exitCodeOfVerdict, worstVerdict }] = await Promise.all([
    import("../../validation/classify/index.ts"),
    import("../../platform/words.ts"),
  ]);
  const lines = await readRunLines(resolve(io.cwd, file), { signal });
  const classified = classifyLines(lines);
  if (globals.junit !== undefined) {
    const durationMs = clock.monotonicMs() - startedMs;
    const report = classifyReport(classified, { file, startedAtMs, durationMs });
    const { createFileReporter } = await import("../../platform/reporters/index.ts");
    const path = resolve(io.cwd, globals.junit);
    await createFileReporter({ path, format: "junit" }).onEnd?.(report);
  }
  if (globals.json) await writeAnswers(invocation, classified);
  else
    for (const line of showLines(classified, options["all"] === true)) writeLine(io.stdout, line);
  return exitCodeOfVerdict(worstVerdict(classified.map(({ verdict }) => verdict)));
};

async function writeAnswers(
  { io, signal }: Invocation,
  answers: readonly ClassifiedLine[],
): Promise<void> {
  for (let from = 0; from < answers.length; from += linesPerWrite) {
    const part = answers.slice(from, from + linesPerWrite);
    const text = part.map((answer) => `${JSON.stringify(answer)}\n`).join("");
    if (!io.stdout.write(text)) await once(io.stdout, "drain", { signal });
  }
}
