import { z } from "zod";
import { provenances, verdicts } from "../../platform/words.ts";

export const count = z.int().min(0);
export const moment = z.iso.datetime();
export const verdictSchema = z.enum(verdicts);
export const provenanceSchema = z.enum(provenances);
export const actingSchema = z
  .enum(["off", "dry-run", "on"])
  .describe("Whether Tessera opens and closes nodes of the cluster.");

/** How a node stands: a verdict, or `untested` when nothing says anything about it. */
export const standings = [...verdicts, "untested"] as const;
export const standingSchema = z.enum(standings);
export type Standing = z.output<typeof standingSchema>;

/** What a node is doing, as far as that matters for testing it. */
export const nodeUses = ["free", "busy", "untestable", "under-test", "unseen"] as const;
export const nodeUseSchema = z.enum(nodeUses);

/** One reason for a verdict, with the numbers behind it. */
export const findingSchema = z.strictObject({
  metric: z.string(),
  rule: z.string(),
  value: z.number().nullable(),
  bound: z.number().nullable(),
  unit: z.string().nullable().describe("Null where there is none: of a score, or of no number."),
  cohort: z.string(),
});

/** A cluster that cannot be told about now. */
export const untoldSchema = z.strictObject({
  cluster: z.string(),
  state: z.enum(["opening", "failed"]),
  problem: z.string().nullable().describe("Why; null while it is being opened."),
});
export type UntoldView = z.output<typeof untoldSchema>;

/** Names as paths carry them: of clusters, nodes, runs. */
export const nameParam = z.string().min(1).max(253);

/** Where a list goes on: opaque, as the answer before gave it. */
export const cursorParam = z
  .string()
  .regex(/^[\w-]{1,400}$/, { error: "must be a cursor as an answer gave it" })
  .optional()
  .describe("`next` of the page before.");

/** How many entries a page has at most. */
export function limitParam(options: { readonly default: number; readonly max: number }) {
  return z.coerce.number().int().min(1).max(options.max).default(options.default);
}

/** The end of every list that comes in pages. */
export const nextField = z
  .string()
  .nullable()
  .describe("Pass it as `cursor` for the next page; null at the end.");
