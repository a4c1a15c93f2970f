import { sayLost } from "./live.ts";
import { type ApiProblem, noAnswer, notOurs, otherPerson, problemOf, tooLate } from "./problem.ts";
import { noteServerTime } from "./server-clock.ts";
import { authorization, strangerAnswers } from "./token.ts";

export { ApiProblem } from "./problem.ts";

/** Null is sent as an empty word; undefined and an empty word are not sent. */
export type Query = Readonly<Record<string, string | number | null | undefined>>;

interface Kept {
  readonly etag: string | undefined;
  readonly body: unknown;
  readonly atMs: number;
}

export interface GetOptions {
  readonly signal?: AbortSignal;
  /** False for what is asked for once, such as a piece of a log: it would drive out what is asked again. */
  readonly isKept?: boolean;
  /** How long it may take. @default 20 s: a server that hangs must not leave a page that looks fresh */
  readonly msMax?: number;
  /** Asks with this token instead of the one that all else is asked with. What was kept is not looked at. */
  readonly as?: string;
}

const keptMax = 200;
const kept = new Map<string, Kept>();
const getMsMax = 20_000;
/** Reports are written while one waits. */
export const reportMsMax = 60_000;
/** Goes up when the person changes: what the one before asked for is not shown to the next. */
let person = 0;

/** What a path gives. An answer that has not changed comes from memory. */
export async function apiGet<T>(path: string, query?: Query, options: GetOptions = {}): Promise<T> {
  const url = urlOf(path, query);
  const isOurs = options.as === undefined;
  const known = isOurs ? kept.get(url) : undefined;
  const headers: Record<string, string> = {
    accept: "application/json",
    ...authorization(options.as),
  };
  if (known?.etag !== undefined) headers["if-none-match"] = known.etag;
  const limit = { msMax: options.msMax ?? getMsMax, signal: options.signal };
  const entry = await call(url, { headers }, limit, async (answer): Promise<Kept> => {
    const atMs = Date.now();
    if (answer.status === 304 && known !== undefined) return { ...known, atMs };
    const body: unknown = await answer.json();
    return { etag: answer.headers.get("etag") ?? undefined, body, atMs };
  });
  if (isOurs && options.isKept !== false) keep(url, entry);
  return entry.body as T;
}

/** Changes something. An answer without content gives undefined. */
export async function apiSend<T>(
  method: "POST" | "DELETE",
  path: string,
  body?: unknown,
): Promise<T> {
  const headers: Record<string, string> = { accept: "application/json", ...authorization() };
  if (body !== undefined) headers["content-type"] = "application/json";
  const init: RequestInit = { method, headers };
  if (body !== undefined) init.body = JSON.stringify(body);
  return await call(urlOf(path), init, {}, async (answer) => {
    const text = await answer.text();
    return (text === "" ? undefined : JSON.parse(text)) as T;
  });
}

/** An answer that is no JSON: a report, a file. */
export async function apiText(path: string, query?: Query): Promise<string> {
  const init = { headers: authorization() };
  return await call(urlOf(path, query), init, { msMax: reportMsMax }, (answer) => answer.text());
}

/** What is known of a path without asking. */
export function lastKnown(
  path: string,
  query?: Query,
): { readonly body: unknown; readonly atMs: number } | undefined {
  return kept.get(urlOf(path, query));
}

/** Forgets every answer. */
export function forgetAll(): void {
  kept.clear();
}

/** Another person may see other things: forgets every answer, and those still on their way. */
export function forgetPerson(): void {
  forgetAll();
  person++;
}

export function urlOf(path: string, query?: Query): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== "") params.set(name, String(value ?? ""));
  }
  const text = params.toString();
  return `/api/v1/${path}${text === "" ? "" : `?${text}`}`;
}

interface Limit {
  /** What changes something has no limit: giving up would not undo it. */
  readonly msMax?: number;
  readonly signal?: AbortSignal | undefined;
}

async function call<T>(
  url: string,
  init: RequestInit,
  { msMax, signal }: Limit,
  take: (answer: Response) => Promise<T>,
): Promise<T> {
  const asked = person;
  const ends = [
    ...(signal === undefined ? [] : [signal]),
    ...(msMax === undefined ? [] : [AbortSignal.timeout(msMax)]),
  ];
  const until = ends.length === 0 ? {} : { signal: AbortSignal.any(ends) };
  let problem: ApiProblem;
  const sentMs = Date.now();
  try {
    // The cache is ours: the browser's own would hide 304 from us.
    const answer = await fetch(url, { ...init, ...until, cache: "no-store", credentials: "omit" });
    noteServerTime(answer.headers.get("date"), { sentMs, gotMs: Date.now() });
    if (answer.ok || answer.status === 304) {
      const given = await take(answer);
      if (asked === person) return given;
    }
    problem = await problemOf(answer);
  } catch (error) {
    throw asked === person ? whyNot(error, msMax) : otherPerson();
  }
  if (asked !== person) throw otherPerson();
  if (problem.status === 401) strangerAnswers.value++;
  throw problem;
}

/** Why no answer came that can be used. One that nobody waits for any more stays what it is. */
function whyNot(error: unknown, msMax: number | undefined): unknown {
  const name = error instanceof Error ? error.name : "";
  if (name === "AbortError") return error;
  if (name === "TimeoutError" && msMax !== undefined) return tooLate(msMax);
  if (name === "SyntaxError") return notOurs();
  sayLost();
  return noAnswer();
}

function keep(url: string, entry: Kept): void {
  kept.delete(url);
  kept.set(url, entry);
  if (kept.size <= keptMax) return;
  const oldest = kept.keys().next().value;
  if (oldest !== undefined) kept.delete(oldest);
}
