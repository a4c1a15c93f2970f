import assert from "node:assert/strict";
import type { Probe } from "../../plan/index.ts";
import { probeTimeoutUsDefault } from "../presets/index.ts";
import type { ProbeGiven } from "../schema/index.ts";

const windowUsDefault = 10_000_000;

/** A question with all its defaults. */
export function resolveProbe(given: Partial<ProbeGiven>): Probe {
  const { throughput, progress, http, command, kubernetes, promql } = given;
  if (throughput !== undefined) {
    const { atLeast: atLeastShare, window: windowUs = windowUsDefault } = throughput;
    return { kind: "throughput", atLeastShare, windowUs };
  }
  if (progress !== undefined) return { kind: "progress", withinUs: progress.within };
  if (http !== undefined) {
    const { url, status = 200, timeout: timeoutUs = probeTimeoutUsDefault } = http;
    return { kind: "http", url, status, timeoutUs };
  }
  if (command !== undefined) {
    const { exitCode = 0, timeout: timeoutUs = probeTimeoutUsDefault } = command;
    return { kind: "command", command: command.run as [string, ...string[]], exitCode, timeoutUs };
  }
  if (kubernetes !== undefined) {
    const { namespace = null, ...rest } = kubernetes;
    return { kind: "kubernetes", namespace, ...rest };
  }
  assert(promql !== undefined, "a question is one of those that the schema knows");
  return { kind: "promql", ...promql };
}
