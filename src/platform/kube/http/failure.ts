import { isTesseraError, messageOf, TesseraError } from "../../errors/index.ts";
import type { KubeConfig } from "../config/kube-config.ts";
import { isStatus, type KubeStatus } from "../types.ts";

/** What programs need to know about a failed request; every E_KUBE_* error of a request carries one. */
export interface KubeFailure {
  /** HTTP status; absent when no answer came. */
  readonly status?: number;
  /** The API's word for it: `Expired`, `AlreadyExists`, `Conflict`. */
  readonly reason?: string;
  /** How long the server asked to wait. */
  readonly retryAfterMs?: number;
  /** False when it is certain that the server did not act on the request. */
  readonly mayHaveActed: boolean;
  /** The API's whole account, when there was one. */
  readonly statusObject?: KubeStatus;
}

/** Who asked what of whom, for messages. */
export interface RequestSubject {
  readonly config: KubeConfig;
  readonly method: string;
  /** With its query; only the path is shown. */
  readonly path: string;
}

const problemCharsMax = 500;

/** The failure an error of this client carries; undefined for other errors. */
export function kubeFailureOf(error: unknown): KubeFailure | undefined {
  return isTesseraError(error) ? (error.details["failure"] as KubeFailure | undefined) : undefined;
}

/** True when the API said that the object does not exist. */
export function isNotFound(error: unknown): boolean {
  return kubeFailureOf(error)?.status === 404;
}

/** True when the API said that a resource version or a page token is too old. */
export function isExpired(error: unknown): boolean {
  return kubeFailureOf(error)?.status === 410;
}

/** The error for an answer that is not a success. */
export function answerError(
  subject: RequestSubject,
  answer: {
    readonly status: number;
    readonly body: string;
    readonly retryAfterMs?: number | undefined;
  },
): TesseraError {
  const { config } = subject;
  const { status } = answer;
  const statusObject = parseStatus(answer.body);
  const reason = statusObject?.reason;
  const failure: KubeFailure = {
    status,
    // 429 comes from the queue before the request, 401 and 403 from the doors before that.
    mayHaveActed: ![401, 403, 429].includes(status),
    ...(reason === undefined ? {} : { reason }),
    ...(answer.retryAfterMs === undefined ? {} : { retryAfterMs: answer.retryAfterMs }),
    ...(statusObject === undefined ? {} : { statusObject }),
  };
  const request = requestName(subject);
  const problem = shorten(statusObject?.message ?? `HTTP status ${status}`);
  if (status === 401) {
    const credentials = config.credentials.kind;
    const details = { server: config.server.host, context: config.context, credentials };
    return new TesseraError("E_KUBE_UNAUTHORIZED", { ...details, source: config.source, failure });
  }
  if (status === 403) return new TesseraError("E_KUBE_FORBIDDEN", { request, problem, failure });
  if (status === 404) return new TesseraError("E_KUBE_NOT_FOUND", { request, problem, failure });
  if (status === 409) return new TesseraError("E_KUBE_CONFLICT", { request, problem, failure });
  if (status >= 400 && status < 500 && ![408, 410, 429].includes(status)) {
    return new TesseraError("E_KUBE_REJECTED", { request, problem, failure });
  }
  return failedError(
    subject,
    `HTTP status ${status}${statusObject === undefined ? "" : `: ${problem}`}`,
    failure,
  );
}

/** The error for an answer that cannot be used: an outage behind the API, or no answer of an API. */
export function failedError(
  subject: RequestSubject,
  problem: string,
  failure: KubeFailure = { mayHaveActed: true },
): TesseraError {
  const server = subject.config.server.host;
  return new TesseraError("E_KUBE_FAILED", {
    server,
    request: requestName(subject),
    problem,
    failure,
  });
}

/** The error for a connection that could not be made, broke, or stayed silent. */
export function unreachableError(subject: RequestSubject, error: unknown): TesseraError {
  const { config } = subject;
  return new TesseraError(
    "E_KUBE_UNREACHABLE",
    {
      server: config.server.host,
      problem: shorten(reachProblem(error)),
      source: config.source,
      failure: { mayHaveActed: !neverSent(error) } satisfies KubeFailure,
    },
    { cause: error },
  );
}

/** True when there was no connection to send anything on. */
function neverSent(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(neverSent);
  const syscall = error instanceof Error && "syscall" in error ? error.syscall : undefined;
  return syscall === "connect" || syscall === "getaddrinfo";
}

/** Several addresses tried at once fail as one error without words of its own. */
function reachProblem(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(", ");
  return messageOf(error);
}

/** The request as messages name it. */
export function requestName({ method, path }: Pick<RequestSubject, "method" | "path">): string {
  return `${method} ${path.split("?", 1)[0]}`;
}

function parseStatus(body: string): KubeStatus | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    return isStatus(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ").trim().replace(/\.$/, "");
  return line.length <= problemCharsMax ? line : `${line.slice(0, problemCharsMax)}…`;
}
