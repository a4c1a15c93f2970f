import { once } from "node:events";
import { resolve } from "node:path";
import { exitCodes } from "../../platform/errors/index.ts";
import type { Action, Invocation } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";
import { fleetOptions } from "../simulate/fleet-options.ts";

/** A log that anyone can have again; `--seed` gives others. */
const defaultSeed = "0";
const chunkChars = 64 * 2 ** 10;

/** `tessera simulate fleet` */
export const run: Action = async (invocation) => {
  const { options, globals, io } = invocation;
  const { values } = await invocation.config();
  const plan = fleetOptions(options, values.seed ?? defaultSeed);
  const { simulateFleet } = await import("../../validation/fleet-log/index.ts");
  const lines = simulateFleet(plan);
  const { out } = options;
  if (typeof out !== "string") {
    await writeLines(invocation, lines);
    return exitCodes.good;
  }
  const path = resolve(io.cwd, out);
  const { writeFileAtomic } = await import("../../platform/files/index.ts");
  const kept = [...lines];
  await writeFileAtomic(path, `${kept.join("\n")}\n`);
  const defects = kept.filter((line) => line.startsWith('{"type":"defect"')).length;
  const summary = { file: path, seed: plan.seed, events: kept.length - 1, defects };
  if (globals.json) writeJson(io.stdout, summary);
  else if (!globals.quiet) {
    writeLine(io.stdout, `${summary.events} events, ${defects} defects (simulated): ${path}`);
  }
  return exitCodes.good;
};

/** Writes in larger pieces, and no faster than the reader reads. */
async function writeLines({ io, signal }: Invocation, lines: Iterable<string>): Promise<void> {
  let chunk = "";
  const flush = async () => {
    if (chunk !== "" && !io.stdout.write(chunk)) await once(io.stdout, "drain", { signal });
    chunk = "";
  };
  for (const line of lines) {
    chunk += `${line}\n`;
    if (chunk.length >= chunkChars) await flush();
  }
  await flush();
}
