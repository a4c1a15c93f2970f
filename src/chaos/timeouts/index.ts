/** Whether the timeouts of a job are nested so that each recovery can end before the next one begins. */
export {
  lintTimeouts,
  type NamedTimeout,
  type TimeoutFinding,
  type TimeoutLint,
  timeoutsByName,
} from "./lint-timeouts.ts";
export { parseTimeouts, type TimeoutFile } from "./parse-timeouts.ts";
export { isTimeoutName, type TimeoutName, timeoutNames } from "./timeout-names.ts";
export { nesting, type TimeoutRule, timeoutRules } from "./timeout-rules.ts";
