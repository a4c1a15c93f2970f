import { connection } from "../api/live.ts";
import { session } from "../api/session.ts";
import { formatClock, formatMoment } from "../format.ts";
import { Button } from "../ui/button.tsx";

/** The version this page was loaded from. */
let firstVersion: string | undefined;

/** The time of day is enough today; a wall may have hung for longer. */
function sinceText(sinceMs: number): string {
  const isToday = new Date(sinceMs).toDateString() === new Date().toDateString();
  return isToday ? formatClock(sinceMs) : formatMoment(sinceMs);
}

/** What everybody has to know about what they see: it is old, or the page itself is. */
export function Strips() {
  const { state, sinceMs } = connection.value;
  const version = session.value?.version;
  firstVersion ??= version;
  return (
    <>
      {state === "lost" ? (
        <p class="strip" role="status">
          Connection lost since {sinceText(sinceMs)}. What you see is what was known then; it will
          follow again by itself.
        </p>
      ) : null}
      {version !== undefined && version !== firstVersion ? (
        <p class="strip strip-quiet" role="status">
          Tessera is now version {version}; this page came with {firstVersion}.
          <Button small onClick={() => window.location.reload()}>
            Load it again
          </Button>
        </p>
      ) : null}
    </>
  );
}
