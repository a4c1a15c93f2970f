export { parseTable } from "./parse-table.ts";
export { type Run, samplesOf } from "./samples.ts";
