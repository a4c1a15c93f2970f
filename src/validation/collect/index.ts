/**
 * The way results take home: a job hands in one document, by POST and as a file; either is enough,
 * both count once, and nothing that comes is trusted before it has proved whose it is.
 */
export { type Claim, claimRun } from "./claim-run.ts";
export { type CollectedFiles, type CollectFilesOptions, collectFiles } from "./collect-files.ts";
export {
  type HandInAnswer,
  type HandInOptions,
  type HandInReceipt,
  handIn,
  wasAccepted,
} from "./hand-in.ts";
export { pathSegment, type RunPaths, type RunPlace, runPaths } from "./log-tree.ts";
export {
  type Decoded,
  type DocumentSubject,
  decodeResult,
  encodeResult,
  mismatch,
  resultOf,
} from "./result-document.ts";
export { createResultRoute, type ResultRouteOptions, resultPath } from "./result-route.ts";
export {
  firstIssue,
  outputSchema,
  type ResultDocument,
  resultFormat,
  resultLimits,
} from "./result-schema.ts";
export { type ResultServerOptions, startResultServer } from "./result-server.ts";
export { openRunLog, type RunLog, type RunLogOptions } from "./run-log.ts";
export { ensureRunSecret, isRunToken, runToken } from "./run-token.ts";
