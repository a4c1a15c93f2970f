import { signal } from "@preact/signals";
import { createEventReader, type StreamEvent } from "./event-stream.ts";
import { authorization, strangerAnswers, token } from "./token.ts";

export interface Connection {
  /** `off`: nobody is signed in who may read. */
  readonly state: "off" | "connecting" | "live" | "lost";
  /** Since when it is so. */
  readonly sinceMs: number;
}

/** How the stream of events stands. */
export const connection = signal<Connection>({ state: "connecting", sinceMs: Date.now() });

type Listener = (type: string, data: unknown) => void;

const listeners = new Map<string, Set<Listener>>();
const retryMs = { first: 500, max: 8000 };
/** The server says something every 15 s; silence of three times that is a dead line. */
const silenceMsMax = 45_000;

let current: AbortController | undefined;
let lastEventId: string | undefined;
let failures = 0;
let listeningAs: string | undefined;

/**
 * Hears events of these types. `resync` is heard by all: the server could not say what was missed.
 * Returns how to stop.
 */
export function onLive(types: readonly string[], listener: Listener): () => void {
  const all = [...types, "resync"];
  for (const type of all) {
    const set = listeners.get(type) ?? new Set();
    listeners.set(type, set.add(listener));
  }
  return () => {
    for (const type of all) listeners.get(type)?.delete(listener);
  };
}

/** Listens with the token of this moment. Listening already, with the same token, it goes on. */
export function listen(): void {
  if (current !== undefined && listeningAs === token.value) return;
  stopListening();
  failures = 0;
  listeningAs = token.value;
  become("connecting");
  current = new AbortController();
  void keepReading(current.signal);
}

/** Stops listening: nobody is signed in who may read. */
export function stopListening(): void {
  current?.abort();
  current = undefined;
  become("off");
}

/** A call got no answer. The next sign of life on the stream says otherwise. */
export function sayLost(): void {
  become("lost");
}

async function keepReading(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const end = await readOnce(signal);
    if (signal.aborted) return;
    become(end === "refused" ? "off" : "lost");
    const waitMs = Math.min(retryMs.max, retryMs.first * 2 ** Math.min(failures, 10));
    failures++;
    await pause(waitMs, signal);
  }
}

/** How reading ended: the server was there and refused us, or the line broke. */
async function readOnce(outer: AbortSignal): Promise<"refused" | "broken"> {
  const quiet = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const rearm = () => {
    clearTimeout(timer);
    timer = setTimeout(() => quiet.abort(), silenceMsMax);
  };
  try {
    rearm();
    const headers: Record<string, string> = { accept: "text/event-stream", ...authorization() };
    if (lastEventId !== undefined) headers["last-event-id"] = lastEventId;
    const signal = AbortSignal.any([outer, quiet.signal]);
    const answer = await fetch("/api/v1/events", { headers, signal, cache: "no-store" });
    if (answer.status === 401) strangerAnswers.value++;
    if (answer.status === 401 || answer.status === 403) return "refused";
    if (!answer.ok || answer.body === null) return "broken";
    failures = 0;
    become("live");
    const read = createEventReader();
    const decoder = new TextDecoder();
    for (const reader = answer.body.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) return "broken";
      become("live");
      rearm();
      for (const event of read(decoder.decode(value, { stream: true }))) tell(event);
    }
  } catch {
    // However it ended, the loop around tries again.
    return "broken";
  } finally {
    clearTimeout(timer);
  }
}

function tell(event: StreamEvent): void {
  if (event.id !== undefined) lastEventId = event.id;
  let data: unknown;
  try {
    data = JSON.parse(event.data);
  } catch {
    return;
  }
  for (const listener of listeners.get(event.type) ?? []) listener(event.type, data);
}

function become(state: Connection["state"]): void {
  if (connection.value.state !== state) connection.value = { state, sinceMs: Date.now() };
}

/** Waits, but not longer than until the browser says that the network is back. */
function pause(waitMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener("online", end);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, waitMs);
    window.addEventListener("online", end);
    signal.addEventListener("abort", end);
  });
}
