/** What a check found as reports: for the terminal and programs, and as a page for people. Pure. */
export { type CheckPageAbout, checkPage } from "./check-page.ts";
export { type CheckReportAbout, checkReport } from "./check-report.ts";
export type { RunCircumstances } from "./evidence.ts";
export { type GateAbout, gatePage, gateReport } from "./gate-page.ts";
