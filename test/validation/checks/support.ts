import { createRng } from "../../../src/platform/rng/index.ts";
import { createRealClock } from "../../../src/platform/time/index.ts";
import {
  type CheckHost,
  describeCheckHost,
  type ExecuteOptions,
} from "../../../src/validation/checks/index.ts";

export const clock = createRealClock();
export const host: CheckHost = describeCheckHost();

/** What a check is run with, apart from the check itself. */
export function executionOf(
  change: Partial<ExecuteOptions> = {},
): Omit<ExecuteOptions, "prepared"> & { readonly lines: string[] } {
  const lines: string[] = [];
  return {
    profile: "quick",
    host,
    clock,
    rng: createRng(1).stream("test"),
    signal: new AbortController().signal,
    log: (line) => void lines.push(line),
    env: {},
    ranks: () => Promise.reject(new Error("no check of these tests starts ranks")),
    timeoutMs: 60_000,
    lines,
    ...change,
  };
}
