import { hostname } from "node:os";
import type { Verdict } from "../../../platform/words.ts";
import type { Finding } from "../../../validation/checks/gate/index.ts";

const lineCharsMax = 900;

const wordOf: Readonly<Record<Verdict, string>> = {
  pass: "good",
  warn: "good",
  suspect: "bad",
  fail: "bad",
  unknown: "not decided",
};

/** Whose machine it was: a job's node may be called something else than its host. */
export function gateSubject(env: Readonly<Record<string, string | undefined>>): string {
  return env["SLURMD_NODENAME"] || hostname();
}

/** What a gate found as one line, for the logs of whatever started it: what decided it comes first. */
export function gateLine(
  findings: readonly Finding[],
  about: { readonly subject: string; readonly verdict: Verdict; readonly durationMs: number },
): string {
  const { subject, verdict, durationMs } = about;
  const told = (status: Finding["status"]) =>
    findings.filter((finding) => finding.status === status).map(({ words }) => words);
  const order = [...told("fail"), ...told("unknown"), ...told("warn")];
  const isGood = verdict === "pass" || verdict === "warn";
  const words = isGood ? [...order, ...told("pass"), ...told("skipped")] : order;
  const text = words.join("; ").replaceAll(/[^\x20-\x7e]+/g, " ");
  const seconds = (durationMs / 1000).toFixed(1);
  return `tessera: ${subject} is ${wordOf[verdict]} (${seconds} s): ${text}`.slice(0, lineCharsMax);
}
