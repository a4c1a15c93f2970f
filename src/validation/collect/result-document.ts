import { createHash, createHmac } from "node:crypto";
import { sameHash } from "../../platform/http/index.ts";
import type { RunIntent, RunResult } from "../run.ts";
import { canonicalJson, TooDeepError } from "./canonical-json.ts";
import {
  firstIssue,
  type ResultDocument,
  resultFormat,
  resultLimits,
  resultSchema,
} from "./result-schema.ts";

/** The run a document is about. */
export type DocumentSubject = Pick<RunIntent, "id" | "cluster" | "node" | "check">;

/** A document that was read, or why it is not accepted. */
export type Decoded =
  | {
      readonly accepted: true;
      readonly document: ResultDocument;
      /** SHA-256 of the document as it came. */
      readonly digest: string;
    }
  | {
      readonly accepted: false;
      /** One phrase: `it is not JSON`. */
      readonly reason: string;
    };

/**
 * A result as the document that is handed in, with the proof that the holder of the run's token made
 * it. Samples that are no finite numbers become null.
 */
export function encodeResult(
  result: RunResult,
  { subject, token }: { readonly subject: DocumentSubject; readonly token: string },
): string {
  const { startedAtMs, error, cohort } = result;
  const unproven = {
    format: resultFormat,
    runId: subject.id,
    cluster: subject.cluster,
    node: subject.node,
    check: subject.check,
    outcome: result.outcome,
    ...(startedAtMs === undefined ? {} : { startedAt: isoTime(startedAtMs) }),
    endedAt: isoTime(result.endedAtMs),
    ...(error === undefined ? {} : { error: error.slice(0, resultLimits.sentenceChars) }),
    figures: plain(result.figures),
    hardFacts: [...result.hardFacts],
    ...(cohort === undefined ? {} : { cohort }),
    facts: plain(result.facts),
  };
  return `${JSON.stringify({ ...unproven, proof: proofOf(unproven, token) })}\n`;
}

/** Reads a document that anyone may have written. Never throws. */
export function decodeResult(bytes: Uint8Array, token: string): Decoded {
  const refused = (reason: string) => ({ accepted: false, reason }) as const;
  if (bytes.length > resultLimits.sizeBytes) return refused("it is too large");
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return refused("it is not JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return refused("it is not a JSON object");
  }
  const { proof, ...unproven }: { readonly proof?: unknown } = value;
  try {
    // Before anything else is looked at: what a stranger wrote is not worth describing.
    const expected = proofOf(unproven, token);
    if (typeof proof !== "string" || !sameHash(proof, expected)) {
      return refused(
        "its proof does not fit: the run's own job did not write it, or not like this",
      );
    }
  } catch (error) {
    if (error instanceof TooDeepError) return refused(error.message);
    throw error;
  }
  const parsed = resultSchema.safeParse(value);
  if (!parsed.success) return refused(firstIssue(parsed.error));
  const digest = createHash("sha256").update(bytes).digest("hex");
  return { accepted: true, document: parsed.data, digest };
}

/** Why a document is not that of a run; undefined when it is. */
export function mismatch(document: ResultDocument, subject: DocumentSubject): string | undefined {
  const claims = [
    ["run", document.runId, subject.id],
    ["cluster", document.cluster, subject.cluster],
    ["node", document.node, subject.node],
    ["check", document.check, subject.check],
  ] as const;
  const wrong = claims.find(([, given, expected]) => given !== expected);
  return wrong && `it is about ${wrong[0]} ${wrong[1]}, and the run is of ${wrong[2]}`;
}

/**
 * What a document says, with times that can be trusted: a node's clock may be wrong, and a run that
 * seems to end in the future would keep its node from being tested again. Times are moved into the
 * span from the plan to the moment of receipt.
 */
export function resultOf(
  document: ResultDocument,
  { plannedAtMs, receivedAtMs }: { readonly plannedAtMs: number; readonly receivedAtMs: number },
): RunResult {
  const within = (timeMs: number) =>
    Math.max(plannedAtMs, Math.min(timeMs, Math.max(plannedAtMs, receivedAtMs)));
  const { runId, outcome, startedAt, error, figures, hardFacts, cohort, facts } = document;
  return {
    runId,
    outcome,
    ...(startedAt === undefined ? {} : { startedAtMs: within(Date.parse(startedAt)) }),
    endedAtMs: within(Date.parse(document.endedAt)),
    ...(error === undefined ? {} : { error }),
    figures,
    hardFacts,
    ...(cohort === undefined ? {} : { cohort }),
    facts,
  };
}

function proofOf(unproven: object, token: string): string {
  return createHmac("sha256", token).update(canonicalJson(unproven), "utf8").digest("hex");
}

function isoTime(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

/** As JSON will have it, so that writer and reader prove the same value. */
function plain(value: object): unknown {
  return JSON.parse(JSON.stringify(value));
}
