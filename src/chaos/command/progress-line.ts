import { z } from "zod";

/** Larger numbers lose their last digit in many languages. */
const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const text = z.string().min(1).max(1000);

const checkpointSchema = z.object({
  tag: text,
  step: count,
  phase: z.enum(["begun", "committed", "failed"]).default("committed"),
  reason: text.optional(),
  /** Of what was saved. */
  digest: text.optional(),
});

const restoreSchema = z.object({
  /** Null: from the beginning. */
  tag: text.nullable().default(null),
  step: count,
  phase: z.enum(["begun", "done", "refused", "failed"]).default("done"),
  reason: text.optional(),
  /** Of what was loaded. */
  digest: text.optional(),
});

/** Keys that nobody knows are left for later versions. */
const progressSchema = z
  .object({
    /** A step that is done, from 1. */
    step: count.min(1).optional(),
    /** What the step adds to what is counted: samples, tokens, rows. @default 1 */
    units: z.number().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
    /** First and one after the last sample of the step, counted over all epochs. */
    samples: z.tuple([count, count]).optional(),
    loss: z.number().optional(),
    /** Of the state after the step. */
    digest: text.optional(),
    checkpoint: checkpointSchema.optional(),
    restore: restoreSchema.optional(),
    finish: z.object({ digest: text.optional() }).optional(),
  })
  .refine(({ step, checkpoint, restore, finish }) => step ?? checkpoint ?? restore ?? finish, {
    error: "says nothing",
  });

/**
 * What a program says of its progress in one line. Of several things in one line the restore came first,
 * then the step, then the checkpoint.
 */
export type ProgressLine = z.output<typeof progressSchema>;

/**
 * Reads a line of a program's output: `{"tessera":{"step":12,"units":64,"digest":"…"}}`, with anything
 * before it that a launcher puts in front of lines.
 *
 * @returns `foreign` for a line about something else, and a problem for one that is meant for us and
 * cannot be understood.
 */
export function readProgressLine(
  line: string,
): ProgressLine | "foreign" | { readonly problem: string } {
  const at = line.search(/\{\s*"tessera"\s*:/);
  if (at === -1) return "foreign";
  let value: { readonly tessera?: unknown };
  try {
    value = JSON.parse(line.slice(at)) as { readonly tessera?: unknown };
  } catch {
    return { problem: "it is no JSON" };
  }
  const read = progressSchema.safeParse(value.tessera);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const path = issue?.path.join(".") ?? "";
  return { problem: path === "" ? "it says nothing" : `\`${path}\` is not as it should be` };
}
