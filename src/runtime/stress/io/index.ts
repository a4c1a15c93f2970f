export { createIoStress, type IoStressOptions } from "./io.ts";
