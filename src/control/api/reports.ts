import { z } from "zod";
import { nameParam } from "./common.ts";

export const reportFormats = ["json", "html", "markdown", "junit"] as const;

const span = z
  .string()
  .max(40)
  .describe("A duration back from now (`24h`, `7d`) or a moment (`2026-03-01T09:30Z`).");

export const reportQuery = z.strictObject({
  cluster: nameParam.optional(),
  since: span.default("24h"),
  until: span.optional(),
  format: z.enum(reportFormats).default("json"),
});

export type ReportQuery = z.output<typeof reportQuery>;

export interface ReportsPort {
  /** What `tessera report` writes, in the format asked for. */
  report(query: ReportQuery): Promise<{ readonly contentType: string; readonly body: string }>;
}
