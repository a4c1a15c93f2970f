export {
  type ErrorCode,
  type ErrorRow,
  errorTable,
  formatError,
  isTesseraError,
  TesseraError,
} from "./platform/errors/index.ts";
export { version } from "./version.ts";
