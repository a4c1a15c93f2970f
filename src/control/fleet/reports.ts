import { TesseraError } from "../../platform/errors/index.ts";
import { renderReport } from "../../platform/reporters/index.ts";
import {
  buildValidationReport,
  gatherReportData,
  parseMoment,
  WindowError,
} from "../../validation/report/index.ts";
import type { ReportQuery, ReportsPort } from "../api/reports.ts";
import type { Fleet } from "./fleet.ts";

const contentTypes: Readonly<Record<ReportQuery["format"], string>> = {
  json: "application/json",
  html: "text/html; charset=utf-8",
  markdown: "text/markdown; charset=utf-8",
  junit: "application/xml; charset=utf-8",
};

/** What `tessera report` says, from the store this process writes. */
export function createReportsPort(fleet: Fleet): ReportsPort {
  return {
    report: async (query) => {
      try {
        return { contentType: contentTypes[query.format], body: await report(fleet, query) };
      } catch (error) {
        if (!(error instanceof WindowError)) throw error;
        throw new TesseraError("E_REQUEST_INVALID", {
          part: "query",
          problem: `${error.message}.`,
          route: "GET /api/v1/reports",
        });
      }
    },
  };
}

async function report(fleet: Fleet, query: ReportQuery): Promise<string> {
  const { clock, store, history, validation } = fleet;
  const { cluster, format } = query;
  const startedAtMs = clock.nowMs();
  const startedMs = clock.monotonicMs();
  const since = parseMoment("`since`", query.since);
  const until = query.until === undefined ? undefined : parseMoment("`until`", query.until);
  // A name that does not exist is wrong whether or not there is a history.
  if (cluster !== undefined && validation === undefined) fleet.keeper(cluster);
  const data =
    validation === undefined
      ? []
      : await gatherReportData({
          config: validation.config,
          store,
          history,
          cluster,
          since,
          until,
          nowMs: startedAtMs,
        });
  const durationMs = clock.monotonicMs() - startedMs;
  const built = buildValidationReport(data, { startedAtMs, durationMs, store: store.shown });
  return renderReport(built, format);
}
