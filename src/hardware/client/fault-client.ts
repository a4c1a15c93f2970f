import { z } from "zod";
import { isTesseraError, TesseraError } from "../../platform/errors/index.ts";
import { type Clock, retry, sleep } from "../../platform/time/index.ts";
import {
  type AuditView,
  auditViewSchema,
  type FaultRequestInput,
  type FaultView,
  faultEntrySchema,
  faultResponseSchema,
  faultViewSchema,
  type PlanAnswer,
  planAnswerSchema,
} from "../api/index.ts";
import { type ApiCallerOptions, createApiCaller } from "./api-caller.ts";

export type FaultClientOptions = ApiCallerOptions;

export interface ClientCallOptions {
  readonly signal?: AbortSignal;
}

export interface RevertOptions extends ClientCallOptions {
  /** How long to wait for everything to be back. @default 120_000 */
  readonly timeoutMs?: number;
}

/** Which faults. */
export interface FaultFilter {
  /** The namespace under test. @default every one in which the caller may read */
  readonly namespace?: string;
  readonly run?: string;
  /** @default false */
  readonly activeOnly?: boolean;
}

/** A fault, and what the API has to say about it. */
export type ToldFault = FaultView & { readonly note: string };

/** What can be injected. */
export interface XidType {
  readonly code: number;
  readonly name: string;
  readonly severity: string;
  readonly description: string;
}

export interface Health {
  readonly healthy: boolean;
  /** Why not. */
  readonly problem?: string;
}

/**
 * The fault API for programs. Every failure is a TesseraError: E_HW_API_UNREACHABLE when there was no
 * answer, else what the API reports. Nothing is `false` because it is not known.
 */
export interface FaultClient {
  /** What a fault would do, and whether it may be. Changes nothing. */
  plan(request: FaultRequestInput, options?: ClientCallOptions): Promise<PlanAnswer>;
  /** Makes a fault. Never tried again by itself; with a `name` doing it again is doing it once. */
  inject(request: FaultRequestInput, options?: ClientCallOptions): Promise<ToldFault>;
  /** Lets the faults of a run live on; tried again when there is no answer. Those that do. */
  renew(run: string, options?: ClientCallOptions): Promise<readonly FaultView[]>;
  /** Takes a fault back and waits for it. @throws TesseraError E_HW_TIMEOUT */
  revert(id: string, options?: RevertOptions): Promise<ToldFault>;
  /** Takes every fault of a run back and waits for them. @throws TesseraError E_HW_TIMEOUT */
  revertRun(run: string, options?: RevertOptions): Promise<readonly FaultView[]>;
  /** Takes the shim out of a workload's spec while its pods go on; `note` says what happens. */
  releaseSpec(id: string, options?: ClientCallOptions): Promise<ToldFault>;
  list(filter?: FaultFilter, options?: ClientCallOptions): Promise<readonly FaultView[]>;
  get(id: string, options?: ClientCallOptions): Promise<FaultView>;
  /** The audit log, newest first. */
  audit(
    page?: { readonly namespace?: string; readonly limit?: number; readonly before?: number },
    options?: ClientCallOptions,
  ): Promise<readonly AuditView[]>;
  health(options?: ClientCallOptions): Promise<Health>;
  xidTypes(options?: ClientCallOptions): Promise<readonly XidType[]>;
}

const readTimeoutMs = 15_000;
/** Of each attempt: a lease of 15 s must live through several. */
const renewTimeoutMs = 3_000;
/** Longer than the API itself waits. */
const changeTimeoutMs = 45_000;
const revertTimeoutMs = 120_000;
const lookEveryMs = 500;

const faultsSchema = z.object({ faults: z.array(faultViewSchema) });
const entriesSchema = z.object({ faults: z.array(faultEntrySchema) });
const auditSchema = z.object({ entries: z.array(auditViewSchema) });
const healthSchema = z.object({ status: z.string(), problem: z.string().optional() });
const typesSchema = z.object({
  xid_types: z.array(
    z.object({
      code: z.int(),
      name: z.string(),
      severity: z.string(),
      description: z.string(),
    }),
  ),
});

/** A client for one fault API. Opens no connection before the first call. */
export function createFaultClient(options: FaultClientOptions): FaultClient {
  const calls = callsOf(options);
  return { ...changingCalls(options.clock, calls), ...readingCalls(calls) };
}

/** The ways to call: to change a fault, to do something to a run, to read. */
function callsOf(options: FaultClientOptions) {
  const call = createApiCaller(options);
  return {
    call,
    change: async (path: string, { signal }: ClientCallOptions = {}, body?: object) => {
      const answer = await call({
        method: "POST",
        path,
        ...(body === undefined ? {} : { body }),
        schema: faultResponseSchema,
        timeoutMs: changeTimeoutMs,
        signal,
      });
      return { ...answer.details, note: answer.message };
    },
    ofRun: async (run: string, verb: "renew" | "revert", signal: AbortSignal | undefined) => {
      const path = `/api/v1/runs/${encodeURIComponent(run)}/${verb}`;
      const timeoutMs = verb === "renew" ? renewTimeoutMs : changeTimeoutMs;
      return (await call({ method: "POST", path, schema: faultsSchema, timeoutMs, signal })).faults;
    },
    read: <Schema extends z.ZodType>(
      path: string,
      schema: Schema,
      { signal }: ClientCallOptions = {},
    ) => call({ method: "GET", path, schema, timeoutMs: readTimeoutMs, signal }),
  };
}

type Calls = ReturnType<typeof callsOf>;
type Changing = "plan" | "inject" | "renew" | "revert" | "revertRun" | "releaseSpec";

function changingCalls(clock: Clock, { call, change, ofRun }: Calls): Pick<FaultClient, Changing> {
  return {
    plan: (request, { signal } = {}) =>
      call({
        method: "POST",
        path: "/api/v1/plan",
        body: request,
        schema: planAnswerSchema,
        timeoutMs: changeTimeoutMs,
        signal,
      }),
    inject: (request, more) => change("/api/v1/faults", more, request),
    renew: (run, { signal } = {}) =>
      retry(() => ofRun(run, "renew", signal), {
        clock,
        ...renewal,
        ...(signal === undefined ? {} : { signal }),
      }),
    revert: (id, more = {}) =>
      untilOver(clock, `The end of fault ${id}`, more, async () => {
        const fault = await change(`/api/v1/faults/${encodeURIComponent(id)}/recover`, more);
        return { value: fault, pending: isOver(fault) ? [] : [fault] };
      }),
    revertRun: (run, more = {}) => {
      const all = new Map<string, FaultView>();
      return untilOver(clock, `The end of run ${run}`, more, async () => {
        for (const fault of await ofRun(run, "revert", more.signal)) all.set(fault.id, fault);
        const value = [...all.values()];
        return { value, pending: value.filter((one) => !isOver(one)) };
      });
    },
    releaseSpec: (id, more) =>
      change(`/api/v1/faults/${encodeURIComponent(id)}/release-spec`, more),
  };
}

function readingCalls({ call, read }: Calls): Omit<FaultClient, Changing> {
  return {
    list: async ({ namespace, run, activeOnly } = {}, more) => {
      const active_only = activeOnly === true ? "true" : undefined;
      const query = queryOf({ namespace, run, active_only });
      const { faults } = await read(`/api/v1/faults${query}`, entriesSchema, more);
      return faults.map(({ details }) => details);
    },
    get: async (id, more) =>
      (await read(`/api/v1/faults/${encodeURIComponent(id)}`, faultEntrySchema, more)).details,
    audit: async (page = {}, more) =>
      (await read(`/api/v1/audit${queryOf({ ...page })}`, auditSchema, more)).entries,
    health: async ({ signal } = {}) => {
      const { status, problem } = await call({
        method: "GET",
        path: "/health",
        schema: healthSchema,
        timeoutMs: readTimeoutMs,
        signal,
        otherStatus: 503,
        anonymous: true,
      });
      return { healthy: status === "healthy", ...(problem === undefined ? {} : { problem }) };
    },
    xidTypes: async (more) =>
      (await read("/api/v1/faults/gpu/xid-types", typesSchema, more)).xid_types,
  };
}

/** A lease is short: tried again soon, and only when the API may not have heard. */
const renewal = {
  rng: { float: () => 1 },
  jitter: "none",
  attemptsMax: 4,
  delayMs: 250,
  delayMsMax: 1_000,
  shouldRetry: (error: unknown) =>
    isTesseraError(error) && error.httpStatus >= 500 && error.details["ended"] !== true,
} as const;

function isOver({ state }: FaultView): boolean {
  return state === "reverted" || state === "failed";
}

/** Asks again until everything is over; asking twice changes nothing. */
async function untilOver<T>(
  clock: Clock,
  what: string,
  { timeoutMs = revertTimeoutMs, signal }: RevertOptions,
  ask: () => Promise<{ readonly value: T; readonly pending: readonly FaultView[] }>,
): Promise<T> {
  const endsMs = clock.monotonicMs() + timeoutMs;
  for (;;) {
    const { value, pending } = await ask();
    if (pending.length === 0) return value;
    if (clock.monotonicMs() >= endsMs) {
      const seen = pending
        .slice(0, 5)
        .map(
          ({ id, state, message }) => `${id} is ${state}${message === null ? "" : ` (${message})`}`,
        )
        .join(", ");
      throw new TesseraError("E_HW_TIMEOUT", { what, seconds: Math.round(timeoutMs / 1000), seen });
    }
    await sleep(clock, lookEveryMs, signal);
  }
}

function queryOf(values: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) {
    if (value !== undefined) query.append(key, String(value));
  }
  return query.size === 0 ? "" : `?${query}`;
}
