export * as fault from "./chaos/fault/index.ts";
export * as chaos from "./chaos/index.ts";
export {
  type ErrorCode,
  type ErrorRow,
  errorTable,
  formatError,
  isTesseraError,
  TesseraError,
} from "./platform/errors/index.ts";
export {
  checkpoint,
  cuda,
  dist,
  op,
  planning,
  profile,
  ranks,
  scaling,
  tensor,
  training,
  verify,
} from "./runtime/index.ts";
export { version } from "./version.ts";
