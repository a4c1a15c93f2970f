import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "../../../platform/errors/index.ts";
import type { JsonObject } from "../../../platform/store/index.ts";
import type { CheckContext } from "../check.ts";
import { figuresFrom, samplesOf } from "./figures.ts";
import { type Fio, type FioRun, nameOfError, runFio } from "./fio.ts";
import type { StorageOptions, StoragePattern } from "./options.ts";
import type { FioStep, StorageAccess, StorageScale } from "./plan.ts";
import { stepsOf } from "./steps.ts";

/** Everything that is settled before the first request. */
export interface MeasureOptions {
  readonly context: CheckContext<StorageOptions>;
  readonly fio: Fio;
  readonly folder: string;
  readonly patterns: readonly StoragePattern[];
  readonly scale: StorageScale;
  readonly access: StorageAccess;
}

/** What all patterns of all rounds came to. */
export interface Measured {
  readonly figures: ReturnType<typeof figuresFrom>;
  /** By pattern: totals and latencies, as fio has them, of the last start. */
  readonly totals: JsonObject;
  readonly mismatches: number;
}

/**
 * Runs every step after the other. What was read back and differs is noted as a hard fact and the
 * rest goes on; so is an input/output error, which ends the run.
 *
 * @throws Error naming the pattern, when one could not be measured.
 */
export async function measureStorage(o: MeasureOptions): Promise<Measured> {
  const { context, patterns, scale, access } = o;
  const parts: ReturnType<typeof samplesOf>[] = [];
  const totals: Record<string, JsonObject> = {};
  let mismatches = 0;
  let group: string | undefined;
  for (let round = 1; round <= scale.rounds; round++) {
    for (const pattern of patterns) {
      const own: ReturnType<typeof samplesOf>[] = [];
      for (const step of stepsOf(pattern, scale, access)) {
        if (step.group !== group) await changeGroup(o, group, step.group);
        group = step.group;
        const run = await runStep(o, step).catch((error: unknown) => {
          context.signal.throwIfAborted();
          throw new Error(`${pattern}: ${messageOf(error)}`, { cause: error });
        });
        if (run === "mismatch") mismatches++;
        else {
          own.push(samplesOf(step, run));
          totals[pattern] = describeTotals(run);
        }
      }
      parts.push(...own);
      context.log(`${pattern}: ${summaryOf(own)}`);
    }
  }
  return { figures: figuresFrom(parts), totals, mismatches };
}

async function changeGroup(
  { folder }: MeasureOptions,
  from: string | undefined,
  to: string,
): Promise<void> {
  if (from !== undefined) await rm(join(folder, from), { recursive: true, force: true });
  await mkdir(join(folder, to), { recursive: true });
}

async function runStep(o: MeasureOptions, step: FioStep): Promise<FioRun | "mismatch"> {
  const { context, fio, folder } = o;
  const { clock, signal, env, options, tempDir } = context;
  const isReadBack = step.pattern === "verify" && step.direction === "read";
  const where = join(folder, step.group);
  const { corrupt } = options;
  if (isReadBack && corrupt !== undefined) {
    await flipBit(join(where, "data.0"), corrupt.offsetBytes % step.bytes);
  }
  const how = { fio: fio.path, step, folder: where, logFolder: tempDir, clock, signal, env };
  const run = await runFio(how);
  const { report, complaints } = run;
  if (report.error === 0) return run;
  const said = complaints[0] ?? nameOfError(report.error);
  const purpose = corrupt === undefined ? "" : " (broken on purpose, for a rehearsal)";
  if (isReadBack && nameOfError(report.error).startsWith("EILSEQ")) {
    const fact = `wrong data: what was read back is not what was written${purpose}: ${said}`;
    context.log(fact);
    context.noteHardFact(fact);
    return "mismatch";
  }
  if (nameOfError(report.error).startsWith("EIO")) {
    context.noteHardFact(`the file system answered ${step.pattern} with an I/O error: ${said}`);
  }
  throw new Error(`fio ended with ${nameOfError(report.error)}: ${said}`);
}

async function flipBit(path: string, offsetBytes: number): Promise<void> {
  const file = await open(path, "r+");
  try {
    const byte = Buffer.alloc(1);
    await file.read(byte, 0, 1, offsetBytes);
    byte.writeUInt8(byte.readUInt8() ^ 1);
    await file.write(byte, 0, 1, offsetBytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

function describeTotals({ report }: FioRun): JsonObject {
  const ms = (ns: number) => Number((ns / 1e6).toPrecision(4));
  return {
    bytes: report.bytes,
    requests: report.requests,
    shortRequests: report.shortRequests,
    runtimeMs: report.runtimeMs,
    latencyMeanMs: ms(report.latencyMeanNs),
    latencyMaxMs: ms(report.latencyMaxNs),
    latencyMs: Object.fromEntries(
      Object.entries(report.latencyNs).map(([name, ns]) => [`p${Number(name)}`, ms(ns)]),
    ),
  };
}

/** The middle of each figure, for the log. */
function summaryOf(parts: readonly ReturnType<typeof samplesOf>[]): string {
  const figures = Object.entries(figuresFrom(parts));
  if (figures.length === 0) return "done";
  return figures
    .map(([name, { samples, unit = "" }]) => {
      const sorted = samples.toSorted((a, b) => a - b);
      const middle = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
      return `${name} ${Number(middle.toPrecision(4))} ${unit} (${samples.length} samples)`;
    })
    .join(", ");
}
