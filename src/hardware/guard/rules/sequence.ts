import { xidLine } from "../../detectors/index.ts";
import { type GuardRule, ok, refuse } from "../guard-rule.ts";

/** A sequence is short, ends soon, and has lines that can be written. */
export const shortSequence: GuardRule = ({ action, limits }) => {
  if (action.kind !== "xid") return undefined;
  const { lines } = action;
  if (lines.length === 0) return refuse("there is no line");
  if (lines.length > limits.linesMax)
    return refuse(`${lines.length} lines, at most ${limits.linesMax} are allowed`);
  const seconds = lines.reduce((sum, { delayMs = 0 }) => sum + delayMs, 0) / 1000;
  if (seconds > limits.sequenceSecondsMax)
    return refuse(`its lines take ${seconds} s, at most ${limits.sequenceSecondsMax} are allowed`);
  for (const line of lines) {
    const written = xidLine(line);
    if ("problem" in written) return refuse(written.problem);
  }
  return ok(lines.length === 1 ? "one line" : `${lines.length} lines`);
};
