import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { type ApiProblem, apiGet, lastKnown, type Query, urlOf } from "./client.ts";
import { connection, onLive } from "./live.ts";
import { toProblem } from "./problem.ts";
import { sessionEdition } from "./session.ts";

export interface QueryResult<T> {
  readonly data: T | undefined;
  readonly problem: ApiProblem | undefined;
  /** Nothing is known yet and the answer is on its way. */
  readonly isLoading: boolean;
  /** When the data came, in the browser's time. */
  readonly atMs: number | undefined;
  /** The data are from an earlier visit: the first answer of this one is still to come. */
  readonly isEarlier: boolean;
  reload(): void;
}

export interface QueryOptions {
  readonly query?: Query;
  /** Types of events that make it ask again. */
  readonly on?: readonly string[];
  readonly everyMs?: number;
  /** How long an answer may take. */
  readonly msMax?: number;
  /** Of these events only those this says yes to. */
  readonly when?: (type: string, data: unknown) => boolean;
}

interface Kept<T> {
  readonly url: string | null;
  readonly data: T | undefined;
  readonly problem: ApiProblem | undefined;
  readonly atMs: number | undefined;
  readonly isEarlier: boolean;
}

/** Between two answers that events ask for: a burst of events is one question. */
const restMs = 400;

/**
 * What a path of the API gives, asked again when events say that it changed. What is known stays on
 * the page when asking fails, marked as stale.
 */
export function useQuery<T>(path: string | null, options: QueryOptions = {}): QueryResult<T> {
  const url = path === null ? null : urlOf(path, options.query);
  const [kept, setKept] = useState<Kept<T>>(() => initial(url, path, options.query));
  const edition = sessionEdition.value;
  const latest = useRef(options);
  latest.current = options;
  const asker = useRef<() => void>(() => {});

  useEffect(() => {
    if (path === null) return;
    setKept(initial(url, path, latest.current.query));
    const ask = createAsker<T>(
      (signal) => {
        const { query, msMax } = latest.current;
        return apiGet<T>(path, query, msMax === undefined ? { signal } : { signal, msMax });
      },
      (change) =>
        setKept((old) => ({ ...(old.url === url ? old : initial<T>(url, null)), ...change, url })),
    );
    asker.current = ask.now;
    ask.now();
    const stops = [ask.stop, whenBack(ask.soon)];
    stops.push(
      onLive(latest.current.on ?? [], (type, data) => {
        if (type === "resync" || (latest.current.when?.(type, data) ?? true)) ask.soon();
      }),
    );
    const { everyMs } = latest.current;
    if (everyMs !== undefined) {
      const timer = setInterval(ask.now, everyMs);
      stops.push(() => clearInterval(timer));
    }
    return () => {
      for (const stop of stops) stop();
    };
  }, [url, edition, (options.on ?? []).join(" "), options.everyMs]);

  const shown = kept.url === url ? kept : initial<T>(url, path, options.query);
  const reload = useCallback(() => asker.current(), []);
  return {
    data: shown.data,
    problem: shown.problem,
    isLoading: path !== null && shown.data === undefined && shown.problem === undefined,
    atMs: shown.atMs,
    isEarlier: shown.isEarlier,
    reload,
  };
}

function initial<T>(url: string | null, path: string | null, query?: Query): Kept<T> {
  const known = path === null ? undefined : lastKnown(path, query);
  return {
    url,
    data: known?.body as T | undefined,
    problem: undefined,
    atMs: known?.atMs,
    isEarlier: known !== undefined,
  };
}

/** Asks one question at a time: one that comes meanwhile is asked afterwards, once. */
function createAsker<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  say: (change: Partial<Kept<T>>) => void,
): { now(): void; soon(): void; stop(): void } {
  const controller = new AbortController();
  let isBusy = false;
  let isWanted = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const now = () => {
    if (isBusy) {
      isWanted = true;
      return;
    }
    isBusy = true;
    void ask(controller.signal)
      .then((data) => {
        if (!controller.signal.aborted) {
          say({ data, problem: undefined, atMs: Date.now(), isEarlier: false });
        }
      })
      .catch((error: unknown) => {
        const problem = toProblem(error);
        // With another person everything is asked for anew.
        if (controller.signal.aborted || problem.code === "E_OTHER_PERSON") return;
        say({ problem });
        if (problem.code === "E_TOO_LATE") isWanted = true;
      })
      .finally(() => {
        isBusy = false;
        if (isWanted && !controller.signal.aborted) soon();
        isWanted = false;
      });
  };
  const soon = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      now();
    }, restMs);
  };
  return {
    now,
    soon,
    stop: () => {
      clearTimeout(timer);
      controller.abort();
    },
  };
}

/** Calls when the line comes back after it was lost: events were missed. */
function whenBack(then: () => void): () => void {
  let wasLost = false;
  return connection.subscribe(({ state }) => {
    if (state === "live" && wasLost) then();
    if (state === "live") wasLost = false;
    else if (state === "lost") wasLost = true;
  });
}
