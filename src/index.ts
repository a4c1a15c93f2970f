export * as fault from "./chaos/fault/index.ts";
export {
  type ErrorCode,
  type ErrorRow,
  errorTable,
  formatError,
  isTesseraError,
  TesseraError,
} from "./platform/errors/index.ts";
export { cuda, dist, op, profile, ranks, tensor } from "./runtime/index.ts";
export { version } from "./version.ts";
