import { z } from "zod";
import { nameParam } from "./common.ts";

export const reportFormats = ["json", "html", "markdown", "junit"] as const;

const span = z
  .string()
  .max(40)
  .describe(
    "A duration back from now (`24h`, `7d`) or a moment (`2026-03-01T09:30Z`); a report spans at most 92 days.",
  );

export const reportQuery = z.strictObject({
  cluster: nameParam.optional(),
  since: span.default("24h"),
  until: span.optional(),
  format: z.enum(reportFormats).default("json"),
});

export type ReportQuery = z.output<typeof reportQuery>;

/** A report as JSON, in the shape that docs/reports.md describes. */
export const reportSchema = z.looseObject({
  format: z.string(),
  title: z.string(),
  verdict: z.string().nullable(),
});

export type ReportAnswer =
  /** The same object for all who ask while it is kept. */
  | { readonly json: z.output<typeof reportSchema> }
  | { readonly contentType: string; readonly body: string };

export interface ReportsPort {
  /**
   * What `tessera report` writes, in the format asked for.
   *
   * @throws E_CLUSTER_UNKNOWN, E_REQUEST_INVALID, E_BUSY; the signal's reason when that aborts.
   */
  report(query: ReportQuery, signal: AbortSignal): Promise<ReportAnswer>;
}
