import { TesseraError } from "../../../platform/errors/index.ts";
import { formatDurationMs } from "../../../platform/units/index.ts";

/** A collective that nobody is answered in; nobody can tell who is to blame. */
export function dropped(
  { op, axes }: { readonly op: string; readonly axes?: readonly string[] },
  phase: string,
  timeoutMs: number,
): TesseraError<"E_TIMEOUT"> {
  const over = axes === undefined || axes.length === 0 ? "" : ` over ${axes.join(", ")}`;
  return new TesseraError("E_TIMEOUT", {
    what: `${op}${over}, whose messages were dropped in phase ${phase},`,
    timeout: formatDurationMs(timeoutMs),
    op,
    phase,
    ranks: [],
    ...(axes === undefined ? {} : { axes }),
    cause: "the collective was dropped",
  });
}
