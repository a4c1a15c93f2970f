import type { Clock } from "../../platform/time/clock.ts";

/** The part of a process that hears of signals. */
export interface SignalSource {
  listeners(signal: "SIGINT" | "SIGTERM"): readonly ((signal: NodeJS.Signals) => void)[];
  removeListener(signal: "SIGINT" | "SIGTERM", listener: (signal: NodeJS.Signals) => void): unknown;
  on(signal: "SIGINT" | "SIGTERM", listener: (signal: NodeJS.Signals) => void): unknown;
}

const signals = ["SIGINT", "SIGTERM"] as const;
// Under npm one press arrives twice: from the terminal, and passed on by npm.
const samePressMs = 500;

/**
 * Elsewhere a second press of Ctrl-C ends the process at once. Here it means something: cancel what
 * is under way. Only the third one ends the process.
 *
 * @param first aborted by the first press.
 * @returns a signal that aborts at the second press, and how to let go.
 */
export function onSecondInterrupt(
  source: SignalSource,
  options: { readonly first: AbortSignal; readonly clock: Clock },
): { readonly signal: AbortSignal; release(): void } {
  const { first, clock } = options;
  const second = new AbortController();
  let release = () => first.removeEventListener("abort", takeOver);
  const takeOver = () => {
    let pressedMs = clock.monotonicMs();
    const taken = signals.map((name) => ({ name, listeners: [...source.listeners(name)] }));
    const onSignal = (signal: NodeJS.Signals) => {
      if (clock.monotonicMs() - pressedMs < samePressMs) return;
      pressedMs = clock.monotonicMs();
      if (!second.signal.aborted) {
        second.abort(new Error("interrupted again"));
        return;
      }
      for (const { name, listeners } of taken) {
        if (name === signal) for (const listener of listeners) listener(signal);
      }
    };
    for (const { name, listeners } of taken) {
      for (const listener of listeners) source.removeListener(name, listener);
      source.on(name, onSignal);
    }
    release = () => {
      for (const { name, listeners } of taken) {
        source.removeListener(name, onSignal);
        for (const listener of listeners) source.on(name, listener);
      }
    };
  };
  if (first.aborted) takeOver();
  else first.addEventListener("abort", takeOver, { once: true });
  return { signal: second.signal, release: () => release() };
}
