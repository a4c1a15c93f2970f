import { z } from "zod";
import { TesseraError } from "../../platform/errors/index.ts";
import { readTextFile, writeFileAtomic } from "../../platform/files/index.ts";
import { collectiveOps } from "../../runtime/dist/time-model/types.ts";
import type { MeasuredSize } from "../../runtime/ranks/measure/measurement.ts";
import { version } from "../../version.ts";
import type { Measured } from "./measure.ts";
import type { MeasuredRequest } from "./measured-request.ts";

const fileBytesMax = 64 * 2 ** 20;

const savedSchema = z.object({
  format: z.literal("tessera-measured-collective"),
  op: z.enum(collectiveOps),
  ranks: z.int().min(1).max(1_000_000),
  transport: z.string().max(40),
  topology: z.string().max(100).optional(),
  points: z
    .array(
      z.object({
        bytes: z.number().min(0),
        timeUs: z.number().positive(),
        timesUs: z.array(z.number().positive()),
        wrong: z.number().min(0),
      }),
    )
    .min(1),
});
/** Measured times as `--save` writes them. */
export type SavedMeasurement = z.infer<typeof savedSchema>;

/** What was measured, and when. */
export interface Measurement {
  readonly op: string;
  readonly dtype: string;
  readonly ranks: number;
  readonly transport: string;
  readonly topology?: string;
  readonly sizes: readonly Pick<
    MeasuredSize,
    "bytes" | "timeUs" | "timesUs" | "wrong" | "elements"
  >[];
  readonly facts: Readonly<Record<string, unknown>>;
  readonly atMs: number;
}

/** The document that `--save` writes, that rank 0 of a job prints, and that `calibrate` reads. */
export function measurementDocument({ sizes, facts, atMs, ...what }: Measurement): object {
  return {
    format: "tessera-measured-collective",
    version,
    source: "measured",
    measuredAt: new Date(atMs).toISOString(),
    ...what,
    points: sizes.map(({ bytes, timeUs, timesUs, wrong, elements }) => {
      return { bytes, timeUs, timesUs, wrong, elements };
    }),
    facts,
  };
}

/** Writes measured times for `tessera collective calibrate`. @throws E_FILE_WRITE */
export async function saveMeasurement(
  path: string,
  result: { readonly request: MeasuredRequest; readonly measured: Measured; readonly atMs: number },
): Promise<void> {
  const { request, measured, atMs } = result;
  const { op, dtype, topology } = request;
  const { ranks, transport, sizes, facts } = measured;
  const named = topology === undefined ? {} : { topology: topology.name };
  const saved = measurementDocument({ op, dtype, ranks, transport, ...named, sizes, facts, atMs });
  await writeFileAtomic(path, `${JSON.stringify(saved, null, 2)}\n`);
}

/** Reads what `saveMeasurement` wrote. @throws E_FILE_READ, E_MEASUREMENT */
export async function readMeasurement(path: string, name: string): Promise<SavedMeasurement> {
  const text = await readTextFile(path, { sizeBytesMax: fileBytesMax });
  const parsed = savedSchema.safeParse(asJson(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where =
    issue === undefined || issue.path.length === 0 ? "it" : `\`${issue.path.join(".")}\``;
  const problem = `${where} is not what \`--save\` writes`;
  throw new TesseraError("E_MEASUREMENT", { file: name, problem });
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
