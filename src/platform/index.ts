export {
  BoundedQueue,
  type BoundedQueueOptions,
  type MapConcurrentOptions,
  mapConcurrent,
  OverflowError,
  type OverflowPolicy,
  Semaphore,
  type SemaphoreOptions,
} from "./concurrency/index.ts";
export { type Config, loadConfig, type Origin, type ResolvedConfig } from "./config/index.ts";
export {
  createDiagnosis,
  type Diagnosis,
  type DoctorFinding,
  type Finding,
  type FindingState,
  type Probe,
  type ProbeContext,
  runDoctor,
} from "./doctor/index.ts";
export {
  type ErrorCode,
  type ErrorDetails,
  type ErrorOptions,
  type ErrorRow,
  type ExitCode,
  errorTable,
  exitCodes,
  formatError,
  formatStack,
  isTesseraError,
  messageOf,
  TesseraError,
  toTesseraError,
} from "./errors/index.ts";
export { ensureDir, readTextFile, removeLeftoverTemps, writeFileAtomic } from "./files/index.ts";
export {
  applyObject,
  createKubeClient,
  createLeaderElection,
  createReflector,
  type Freshness,
  type KubeClient,
  type KubeObject,
  listAll,
  loadKubeConfig,
  type Reflector,
  type ReflectorOptions,
  resourceTypes,
  reviewAccess,
  updateWithRetry,
} from "./kube/index.ts";
export {
  createLogger,
  type Logger,
  type LoggerOptions,
  type LogLevel,
  redact,
  redactValue,
} from "./log/index.ts";
export { type Plot, renderPlot } from "./plots/index.ts";
export {
  type ProcessExit,
  type ProcessOptions,
  type ProcessResult,
  ProcessStartError,
  type RunningProcess,
  type RunProcessOptions,
  runProcess,
  type StartProcessOptions,
  startProcess,
} from "./process/index.ts";
export {
  createFileReporter,
  createMultiplexer,
  createTerminalReporter,
  type Report,
  type Reporter,
  type ReportFormat,
  renderReport,
} from "./reporters/index.ts";
export { createRng, type Rng, type RngStream, randomSeed } from "./rng/index.ts";
export { openStore, type Store, type StoreOptions } from "./store/index.ts";
export {
  type Clock,
  createRealClock,
  type DeadlineOptions,
  type RetryDecision,
  type RetryOptions,
  retry,
  sleep,
  type Timer,
  VirtualClock,
  withDeadline,
} from "./time/index.ts";
export {
  formatBytes,
  formatDurationMs,
  formatRate,
  parseBytes,
  parseDurationMs,
  parseRate,
  type RateOf,
  type RateOptions,
  UnitError,
  type UnitOptions,
} from "./units/index.ts";
export {
  type ExperimentOutcome,
  experimentOutcomes,
  type Provenance,
  provenances,
  type RunOutcome,
  runOutcomes,
  type Verdict,
  verdicts,
} from "./words.ts";
