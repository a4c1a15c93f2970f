export { createDlUnit } from "./dl-unit.ts";
