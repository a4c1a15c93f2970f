/** Why a call did not give what was asked for, in words for people. */
export class ApiProblem extends Error {
  override readonly name = "ApiProblem";
  /** The HTTP status; 0 when no answer came. */
  readonly status: number;
  readonly code: string;
  readonly hint: string;
  readonly requestId: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(given: {
    readonly status: number;
    readonly code: string;
    readonly detail: string;
    readonly hint: string;
    readonly requestId?: string | undefined;
    readonly details?: Readonly<Record<string, unknown>> | undefined;
  }) {
    super(given.detail);
    this.status = given.status;
    this.code = given.code;
    this.hint = given.hint;
    this.requestId = given.requestId;
    this.details = given.details ?? {};
  }
}

/** No answer: the server is gone, or something between. */
export function noAnswer(): ApiProblem {
  return new ApiProblem({
    status: 0,
    code: "E_NO_ANSWER",
    detail: "Tessera did not answer.",
    hint: "It may be restarting, or the network between may be down. This page tries again by itself.",
  });
}

/** The server is there, but nothing came in time. */
export function tooLate(afterMs: number): ApiProblem {
  return new ApiProblem({
    status: 0,
    code: "E_TOO_LATE",
    detail: `Tessera did not answer within ${afterMs / 1000} seconds.`,
    hint: "It may have much to do. This page asks again by itself.",
  });
}

/** An answer that was asked for by the person before: nobody may see it any more. */
export function otherPerson(): ApiProblem {
  return new ApiProblem({
    status: 0,
    code: "E_OTHER_PERSON",
    detail: "Somebody else signed in before the answer came.",
    hint: "Ask again.",
  });
}

/** An answer that is not what Tessera writes: a proxy's page of its own, most of the time. */
export function notOurs(): ApiProblem {
  return new ApiProblem({
    status: 0,
    code: "E_NOT_OURS",
    detail: "What answered was not Tessera.",
    hint: "Something between, such as a proxy or its sign-in page, may have answered instead.",
  });
}

/** The problem in an answer, also where it is not one of ours (a proxy's, for instance). */
export async function problemOf(answer: Response): Promise<ApiProblem> {
  const body: unknown = await answer.json().catch(() => undefined);
  const given = isRecord(body) ? body : {};
  const text = (name: string) => (typeof given[name] === "string" ? given[name] : undefined);
  return new ApiProblem({
    status: answer.status,
    code: text("code") ?? `HTTP_${answer.status}`,
    detail: text("detail") ?? `The server answered with status ${answer.status}.`,
    hint: text("hint") ?? "",
    requestId: text("requestId") ?? answer.headers.get("x-request-id") ?? undefined,
    details: isRecord(given["details"]) ? given["details"] : undefined,
  });
}

/** Anything thrown as a problem. */
export function toProblem(thrown: unknown): ApiProblem {
  if (thrown instanceof ApiProblem) return thrown;
  return new ApiProblem({
    status: 0,
    code: "E_PAGE",
    detail: thrown instanceof Error ? thrown.message : String(thrown),
    hint: "This is a mistake of the page. Loading it again may help.",
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
