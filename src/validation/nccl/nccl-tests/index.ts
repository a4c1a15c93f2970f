export { readNcclTestsJson } from "./json.ts";
export { type JudgedReport, judgeReport } from "./judge-report.ts";
export type { NcclTestsMeasure, NcclTestsReport, NcclTestsRow } from "./report.ts";
export { readNcclTestsText } from "./text.ts";
