import { resolve } from "node:path";
import { type ExitCode, exitCodes } from "../../platform/errors/index.ts";
import type { HcaPort, ImportedRun } from "../../validation/nccl/index.ts";
import type { RunFigure } from "../../validation/run.ts";
import type { Action, Invocation } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";
import { usageError } from "../usage-error.ts";

/** Logs of large runs are long. */
const sizeBytesMax = 256 * 2 ** 20;
const filesMax = 1024;

/** `tessera nccl import`: what a run of nccl-tests is worth. */
export const run: Action = async (invocation) => {
  const { args, globals, io, options } = invocation;
  if (args.length > filesMax) {
    throw usageError("nccl import", `Name at most ${filesMax} files, all of one run`);
  }
  const [{ importNcclRun }, { readTextFile }] = await Promise.all([
    import("../../validation/nccl/index.ts"),
    import("../../platform/files/index.ts"),
  ]);
  const files: { name: string; text: string }[] = [];
  for (const name of args) {
    files.push({ name, text: await readTextFile(resolve(io.cwd, name), { sizeBytesMax }) });
  }
  const path = options["path"] === "socket" ? "socket" : "ib";
  const hcas = typeof options["hcas"] === "string" ? namesIn(options["hcas"]) : undefined;
  const imported = importNcclRun({
    files,
    path,
    ...(hcas === undefined ? {} : { hcas }),
    ...(await readCounters(invocation)),
  });
  if (globals.json) writeJson(io.stdout, { path, ...imported });
  else for (const line of show(imported, path)) writeLine(io.stdout, line);
  return exitCodeOf(imported);
};

async function readCounters({
  io,
  options,
}: Invocation): Promise<{ before?: readonly HcaPort[]; after?: readonly HcaPort[] }> {
  const before = options["countersBefore"];
  const after = options["countersAfter"];
  if (before === undefined && after === undefined) return {};
  if (typeof before !== "string" || typeof after !== "string") {
    throw usageError("nccl import", "Give both --counters-before and --counters-after");
  }
  const [{ parseHcaListing }, { readTextFile }, { TesseraError }] = await Promise.all([
    import("../../validation/nccl/index.ts"),
    import("../../platform/files/index.ts"),
    import("../../platform/errors/index.ts"),
  ]);
  const read = async (name: string) => {
    const ports = parseHcaListing(await readTextFile(resolve(io.cwd, name)));
    if (ports.length > 0) return ports;
    const problem = "it has no counter of a network card";
    throw new TesseraError("E_NCCL_OUTPUT", { file: name, problem });
  };
  return { before: await read(before), after: await read(after) };
}

function namesIn(text: string): readonly string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

function exitCodeOf({ hardFacts, outcome }: ImportedRun): ExitCode {
  if (hardFacts.length > 0) return exitCodes.failed;
  return outcome === "completed" ? exitCodes.good : exitCodes.undecided;
}

function show(imported: ImportedRun, path: string): readonly string[] {
  const { facts, figures, hardFacts, refusals } = imported;
  const through = path === "ib" ? "InfiniBand" : "sockets";
  const program = typeof facts["program"] === "string" ? facts["program"] : "nccl-tests";
  const lines = [`${program} on ${String(facts["worldSize"])} ranks`];
  for (const [name, figure] of Object.entries(figures)) lines.push(figureLine(name, figure));
  for (const fact of hardFacts) lines.push(`wrong: ${fact}`);
  if (refusals.length === 0) {
    lines.push(`Proved: all data went through ${through}.`);
  } else {
    lines.push(`Not proved to have gone through ${through}, so these figures count for nothing:`);
    for (const refusal of refusals) lines.push(`  - ${refusal}`);
  }
  return lines;
}

function figureLine(name: string, { samples, unit = "" }: RunFigure): string {
  const sorted = samples.toSorted((a, b) => a - b);
  const median = sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
  const count = sorted.length === 1 ? "1 sample" : `${sorted.length} samples`;
  return `  ${name.padEnd(12)} ${Number(median.toPrecision(4))} ${unit} (measured elsewhere, ${count})`;
}
