import { STATUS_CODES } from "node:http";
import { z } from "zod";
import { isTesseraError, type TesseraError, toTesseraError } from "../errors/index.ts";
import { named } from "./api-schemas.ts";

/** How every error looks on the wire (RFC 9457). */
export const problemSchema = named(
  "Problem",
  z
    .strictObject({
      type: z.string().describe("A stable name for the kind of problem: `urn:tessera:error:CODE`."),
      title: z.string().describe("The HTTP status in words."),
      status: z.int().min(400).max(599),
      detail: z.string().describe("What was wrong, in one or two sentences."),
      code: z.string().describe("The code in the table of errors (docs/errors.md)."),
      hint: z.string().describe("What to do about it."),
      instance: z.string().describe("The path that was asked for."),
      requestId: z.string().describe("Names this request in the log."),
      details: z
        .record(z.string(), z.unknown())
        .optional()
        .describe("More for programs, where the kind of problem has it."),
    })
    .describe("A problem as RFC 9457 has it, with a code and a hint."),
);

export type Problem = z.output<typeof problemSchema>;

/** Where a problem happened. */
export interface ProblemPlace {
  readonly instance: string;
  readonly requestId: string;
}

/**
 * Any thrown value as a problem. What Tessera did not foresee says nothing about its inside: the
 * log has it under the request id.
 */
export function toProblem(thrown: unknown, place: ProblemPlace): Problem {
  const error = toTesseraError(thrown);
  return {
    type: `urn:tessera:error:${error.code}`,
    title: STATUS_CODES[error.httpStatus] ?? "Error",
    status: error.httpStatus,
    ...(isUnforeseen(error)
      ? {
          detail: "Tessera failed in a way it did not expect.",
          hint: `The log of \`tessera up\` says more under request ${place.requestId}.`,
        }
      : { detail: error.message, hint: error.hint }),
    code: error.code,
    ...place,
    ...shownDetails(error),
  };
}

/** Only what an error offers under `shown`: its other details may be nobody else's business. */
function shownDetails(error: TesseraError): Pick<Problem, "details"> {
  const shown = error.details["shown"];
  if (typeof shown !== "object" || shown === null) return {};
  return { details: { ...shown } };
}

/** True for errors nobody reported on purpose; these belong in the log with their stack. */
export function isUnforeseen(thrown: unknown): boolean {
  return !isTesseraError(thrown) || thrown.code === "E_INTERNAL";
}

/** A problem as a response. */
export function problemResponse(problem: Problem, headers: Record<string, string> = {}): Response {
  return new Response(`${JSON.stringify(problem)}\n`, {
    status: problem.status,
    headers: { ...headers, "content-type": "application/problem+json" },
  });
}

/** The headers that some errors oblige a server to send. */
export function headersFor(error: TesseraError): Record<string, string> {
  switch (error.code) {
    case "E_TOKEN_REQUIRED":
    case "E_TOKEN_REFUSED":
    case "E_RUN_TOKEN_REFUSED":
      return { "www-authenticate": "Bearer" };
    case "E_METHOD_NOT_ALLOWED":
      return { allow: detail(error, "allowed", "") };
    case "E_RATE_LIMITED":
    case "E_BUSY":
    case "E_STOPPING":
      return { "retry-after": String(error.details["waitS"]) };
    case "E_EVENT_STREAMS_FULL":
      return { "retry-after": "5" };
    case "E_BODY_TOO_LARGE":
      // The rest of the body is on its way; the connection cannot be used for a next request.
      return { connection: "close" };
    default:
      return {};
  }
}

function detail(error: TesseraError, name: string, otherwise: string): string {
  const value = error.details[name];
  return typeof value === "string" ? value : otherwise;
}
