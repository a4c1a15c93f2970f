import { type TesseraError, toTesseraError } from "../errors/index.ts";
import type { Clock } from "../time/clock.ts";
import type { AppOptions } from "./app-options.ts";
import type { AuditEntry } from "./audit.ts";
import { anonymous } from "./auth/caller.ts";
import { callerKey } from "./caller-key.ts";
import type { AppContext } from "./context.ts";
import { pathOfNul } from "./nul.ts";
import { isUnforeseen } from "./problem.ts";
import type { Reply, Route } from "./route.ts";

interface AuditCallOptions extends Pick<AppOptions, "audit" | "auditsEveryRefusal" | "log"> {
  readonly refusals: RefusalNotes;
}

const problemCharsMax = 500;
/** Refusals of strangers that tell of an attack rather than of a mistake. */
const toldOfStrangers = ["E_ORIGIN_REFUSED", "E_RATE_LIMITED"];

/** Writes down that a named action is about to be done. */
export async function recordBegin(
  c: AppContext,
  route: Route,
  { audit }: Pick<AuditCallOptions, "audit">,
): Promise<void> {
  if (route.action === undefined) return;
  const target = targetOf(c, route);
  if (audit.begin === undefined) return;
  await audit.begin({ ...entryOf(c, route.action), ...(target === undefined ? {} : { target }) });
  c.set("isAuditBegun", true);
}

/** Writes down that a named action was done. */
export async function recordDone(
  c: AppContext,
  route: Route,
  reply: Reply,
  { audit, log }: AuditCallOptions,
): Promise<void> {
  if (route.action === undefined) return;
  const target = reply instanceof Response ? undefined : reply.target;
  const entry = entryOf(c, route.action);
  const details = { ...entry.details, ...("details" in reply ? reply.details : {}) };
  try {
    await audit.record({
      ...entry,
      outcome: "done",
      ...(target === undefined ? {} : { target }),
      ...(Object.keys(details).length === 0 ? {} : { details }),
    });
  } catch (err) {
    // It is done, and whoever is told otherwise does it again. That it was begun is on record.
    if (audit.begin === undefined) throw err;
    log.error({ err, action: route.action, requestId: entry.requestId }, "a change is not audited");
  }
}

/** Writes down that a named action was not done: for known callers, and strangers where that is wanted. */
export async function recordNotDone(
  c: AppContext,
  route: Route,
  thrown: unknown,
  { audit, auditsEveryRefusal, refusals }: AuditCallOptions,
): Promise<void> {
  if (route.action === undefined) return;
  const error = toTesseraError(thrown);
  const isStranger = c.get("caller") === undefined;
  if (isStranger && auditsEveryRefusal !== true && !toldOfStrangers.includes(error.code)) return;
  // Refusals cost nothing to provoke: anybody could fill the log with them.
  const isWanted = c.get("isAuditBegun") === true || auditsEveryRefusal === true;
  const isCheap = error.httpStatus < 500 && !isWanted;
  const entry = entryOf(c, route.action);
  const key = `${error.code} ${callerKey(entry.caller, c.get("address"))}`;
  const untold = isCheap ? refusals.note(key) : 0;
  if (untold === undefined) return;
  const target = targetOf(c, route);
  await audit.record({
    ...entry,
    ...(target === undefined ? {} : { target }),
    ...outcomeOf(error, untold),
  });
}

function entryOf(c: AppContext, action: string) {
  const details = c.get("auditDetails");
  return {
    action,
    caller: c.get("caller") ?? anonymous,
    requestId: c.get("requestId"),
    address: c.get("address"),
    ...(details === undefined ? {} : { details }),
  };
}

function outcomeOf(
  error: TesseraError,
  untold: number,
): Pick<AuditEntry, "outcome" | "code" | "problem"> {
  const outcome = error.httpStatus >= 500 ? "failed" : "refused";
  // What nobody foresaw may say anything; the program's log has it under the request's id.
  if (isUnforeseen(error)) return { outcome, code: error.code };
  const more = untold === 0 ? "" : ` (and ${untold} more like it since the last entry)`;
  const problem =
    error.code === "E_TIMEOUT"
      ? "no answer in time; it may have been done"
      : `${error.message.slice(0, problemCharsMax)}${more}`;
  return { outcome, code: error.code, problem };
}

/** What it was about, as far as the path says so in a way that the route accepts. */
function targetOf(c: AppContext, route: Route): string | undefined {
  const given = c.req.param();
  const params = route.params?.safeParse(given);
  if (params?.success !== true || pathOfNul(given) !== undefined) return undefined;
  return Object.values(params.data as object)
    .map(String)
    .join("/");
}

const noteEveryMs = 60_000;
const notesMax = 256;

/** One entry a minute for each caller and kind of refusal; those between are counted. */
export class RefusalNotes {
  readonly #clock: Clock;
  readonly #notes = new Map<string, { readonly atMs: number; untold: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many went untold since the last entry, when this one is to be told; else undefined. */
  note(key: string): number | undefined {
    const nowMs = this.#clock.monotonicMs();
    const last = this.#notes.get(key);
    if (last !== undefined && nowMs - last.atMs < noteEveryMs) {
      last.untold++;
      return undefined;
    }
    if (last === undefined && this.#notes.size >= notesMax && !this.#forgetOld(nowMs)) {
      return undefined;
    }
    this.#notes.delete(key);
    this.#notes.set(key, { atMs: nowMs, untold: 0 });
    return last?.untold ?? 0;
  }

  /** False when all of them are of this minute. The oldest are at the front. */
  #forgetOld(nowMs: number): boolean {
    for (const [key, { atMs }] of this.#notes) {
      if (nowMs - atMs < noteEveryMs) break;
      this.#notes.delete(key);
    }
    return this.#notes.size < notesMax;
  }
}
