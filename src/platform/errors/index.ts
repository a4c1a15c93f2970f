export { type ExitCode, exitCodes } from "./exit-codes.ts";
export { formatError, formatStack } from "./print.ts";
export { type ErrorCode, type ErrorRow, errorTable } from "./table.ts";
export {
  type ErrorDetails,
  type ErrorOptions,
  isTesseraError,
  messageOf,
  TesseraError,
  toTesseraError,
} from "./tessera-error.ts";
