import { z } from "zod";
import { processIdentitySchema } from "../../platform/process/process-identity.ts";

const id = z.string().min(1);
const untilMs = z.number();

/** One line of a ledger each; the first one is `run`. */
export const ledgerRecordSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("run"),
    format: z.literal("tessera-ledger/1"),
    run: z.string(),
    owner: processIdentitySchema,
    leaseUntilMs: untilMs,
  }),
  z.object({
    type: z.literal("planned"),
    id,
    fault: z.string(),
    target: z.string(),
    undo: z.object({ kind: z.string(), data: z.record(z.string(), z.unknown()) }),
    leaseUntilMs: untilMs,
  }),
  z.object({ type: z.literal("active"), id }),
  z.object({ type: z.literal("reverted"), id }),
  z.object({ type: z.literal("failed"), id, problem: z.string() }),
  z.object({ type: z.literal("lease"), leaseUntilMs: untilMs }),
  /** The lines before it that are no records are what a writer that died had begun. */
  z.object({ type: z.literal("torn") }),
]);

export type LedgerRecord = z.output<typeof ledgerRecordSchema>;
export type RunRecordLine = Extract<LedgerRecord, { type: "run" }>;

/** A record as its line. ASCII alone, so that a line torn anywhere is still text. */
export function lineOf(record: LedgerRecord): string {
  const text = JSON.stringify(record).replace(
    /[\u007f-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `${text}\n`;
}

/** Undefined for a line that is no record. */
export function recordOf(line: string): LedgerRecord | undefined {
  try {
    return ledgerRecordSchema.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}
