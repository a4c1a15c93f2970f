import {
  type ErrorCode,
  errorTable,
  messageOf,
  TesseraError,
} from "../../platform/errors/index.ts";

/** Larger than any answer of the API. */
const answerBytesMax = 32 * 1024 * 1024;

/** An answer's body as JSON; undefined when it is not. */
export async function readAnswer(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of response.body ?? []) {
    sizeBytes += chunk.length;
    if (sizeBytes > answerBytesMax) throw new Error("the answer is too large");
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8")) as unknown;
  } catch {
    return undefined;
  }
}

/** The error that the API reported, as if it had happened here. */
export function errorOfAnswer(where: string, status: number, body: unknown): TesseraError {
  const { code, detail, hint, details, requestId } = isRecord(body) ? body : {};
  if (typeof code !== "string" || typeof detail !== "string") {
    return unreachable(where, `it answered with HTTP status ${status} and no problem of ours`);
  }
  const told = { ...(isRecord(details) ? details : {}), requestId, status };
  if (!isKnownCode(code)) {
    const problem = `${detail.replace(/\.$/, "")} (${code})`;
    return new TesseraError("E_HW_FAILED", { what: "The fault API's work", problem, ...told });
  }
  const options = typeof hint === "string" ? { hint } : {};
  // The message came whole: what it was made of stayed on the other side.
  const error = new TesseraError(code, told as never, options);
  error.message = detail;
  return error;
}

/** No answer of the API: nothing is known about what it did. */
export function unreachable(where: string, problem: string, cause?: unknown): TesseraError {
  const details = { where, problem: problem.replace(/\.$/, "") };
  return new TesseraError("E_HW_API_UNREACHABLE", details, { cause });
}

/** Node hides what went wrong with a connection behind "fetch failed". */
export function reachProblem(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof AggregateError) return cause.errors.map(messageOf).join(", ");
  return messageOf(cause ?? error);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isKnownCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorTable, code);
}
