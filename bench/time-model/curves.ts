import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { Measured } from "../../src/runtime/dist/time-model/calibrate/fit-form.ts";
import { type CoreOp, coreOps } from "../../src/runtime/dist/time-model/library-choice.ts";

/** The environment variable that names the file of measured curves. */
export const curvesVariable = "TESSERA_COLLECTIVE_CURVES";

/** Times below this size are rounded in the source and are not scored. */
export const scoredBytesMin = 64 * 1024;
/** Smaller ones still say where a curve begins. */
const fittedBytesMin = 16 * 1024;

/** One measured curve. */
export interface Curve {
  /** The architecture as the source names it: `sm_100_GB200`. */
  readonly architecture: string;
  readonly op: CoreOp;
  readonly devices: number;
  readonly concurrentGroups: number;
  readonly points: readonly Measured[];
}

const file = z.object({
  source: z.string(),
  tables: z.record(
    z.string(),
    z.object({ n: z.number(), points: z.array(z.tuple([z.number(), z.number()])) }),
  ),
});

/** The f32 curves of the file, from the smallest size that counts for a fit. */
export async function readCurves(path: string): Promise<readonly Curve[]> {
  const { tables } = file.parse(JSON.parse(await readFile(path, "utf8")));
  return Object.entries(tables).flatMap(([key, { n, points }]) => {
    const [architecture = "", collective = "", , groups = "1"] = key.split("|");
    const [name, dtype] = collective.split("/");
    const op = coreOps.find((known) => known === name);
    if (op === undefined || dtype !== "F32") return [];
    const measured = points
      .map(([bytes, timeUs]) => ({ devices: n, bytes, timeUs }))
      .filter(({ bytes }) => bytes >= fittedBytesMin);
    return [{ architecture, op, devices: n, concurrentGroups: Number(groups), points: measured }];
  });
}
