import { openSessions } from "./active-sessions.ts";

/**
 * Names a stretch of work in the trace of every session in force: on the host's timeline, and on the
 * virtual ones from the first to the last operation inside it. `using _ = profile.region("forward")`.
 */
export function region(name: string): Disposable {
  const begun = openSessions().map((log) => ({ log, from: log.now() }));
  let isOver = false;
  return {
    [Symbol.dispose]: () => {
      if (isOver) return;
      isOver = true;
      for (const { log, from } of begun) {
        if (log.isOpen) log.addRegion({ name, from, to: log.now() });
      }
    },
  };
}
