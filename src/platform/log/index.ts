export {
  createLogger,
  type Logger,
  type LoggerOptions,
  type LogLevel,
  logLevels,
} from "./logger.ts";
export { redact } from "./redact-text.ts";
export { redactValue } from "./redact-value.ts";
