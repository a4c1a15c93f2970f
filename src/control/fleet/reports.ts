import { TesseraError } from "../../platform/errors/index.ts";
import { itemsOf, type Report, renderReport, reportShape } from "../../platform/reporters/index.ts";
import { settle } from "../../platform/time/settle.ts";
import {
  buildValidationReport,
  gatherReportData,
  parseMoment,
  WindowError,
} from "../../validation/report/index.ts";
import type { ReportAnswer, ReportQuery, ReportsPort } from "../api/reports.ts";
import type { Fleet } from "./fleet.ts";
import { ReportDesk } from "./report-desk.ts";

/** What a person reads at a time; the command makes longer ones without keeping anybody waiting. */
const spanDaysMax = 92;
/** All clusters together. */
const runsMax = 50_000;

interface MadeReport {
  readonly answer: ReportAnswer;
  readonly items: number;
}

/** What `tessera report` says, from the store this process writes. */
export function createReportsPort(fleet: Fleet): ReportsPort {
  const desk = new ReportDesk<MadeReport>(fleet.clock, ({ items }) => items);
  return {
    report: async (query, signal) => {
      const { cluster, since, until, format } = query;
      const key = JSON.stringify([cluster, since, until, format]);
      try {
        const made = await desk.get(key, (own) => makeReport(fleet, query, own), signal);
        return made.answer;
      } catch (error) {
        if (!(error instanceof WindowError)) throw error;
        const longer = "`tessera report` makes longer ones";
        throw new TesseraError("E_REQUEST_INVALID", {
          part: "query",
          problem: `${error.message}${error.message.includes("spans") ? `; ${longer}` : ""}.`,
          route: "GET /api/v1/reports",
        });
      }
    },
  };
}

async function makeReport(
  fleet: Fleet,
  query: ReportQuery,
  signal: AbortSignal,
): Promise<MadeReport> {
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
          spanDaysMax,
          runsMax,
          signal,
        });
  // Others get a turn between the steps, each of which is work without a pause.
  await settle();
  signal.throwIfAborted();
  const durationMs = clock.monotonicMs() - startedMs;
  const built = buildValidationReport(data, { startedAtMs, durationMs, store: store.shown });
  await settle();
  signal.throwIfAborted();
  return { answer: answerOf(built, format), items: itemsOf(built).length };
}

const contentTypes: Readonly<Record<Exclude<ReportQuery["format"], "json">, string>> = {
  html: "text/html; charset=utf-8",
  markdown: "text/markdown; charset=utf-8",
  junit: "application/xml; charset=utf-8",
};

function answerOf(report: Report, format: ReportQuery["format"]): ReportAnswer {
  if (format === "json") return { json: reportShape(report) };
  return { contentType: contentTypes[format], body: renderReport(report, format) };
}
