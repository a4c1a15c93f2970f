import type { RunPhase } from "../../chaos/experiment/index.ts";
import type { JobEvent } from "../../chaos/record/index.ts";
import { eventText } from "../../chaos/report/index.ts";
import type { EventWithoutNumber } from "./child/orders.ts";

const textCharsMax = 500;

/** An event as people watch it; undefined for the many that only metrics read. */
export function eventLine(event: JobEvent, phase: RunPhase): EventWithoutNumber | undefined {
  const told = event.kind === "step" ? undefined : eventText(event);
  const text = told ?? plainText(event);
  if (text === undefined) return undefined;
  return {
    atS: event.atUs / 1e6,
    phase,
    kind: event.kind,
    text: text.slice(0, textCharsMax),
    step: "step" in event ? event.step : null,
    units: event.kind === "step" ? event.units : null,
  };
}

/** What is left out of a timeline of a few lines, and belongs into a list of everything. */
function plainText(event: JobEvent): string | undefined {
  switch (event.kind) {
    case "step":
      return `step ${event.step}${event.loss === undefined ? "" : `, loss ${event.loss.toPrecision(4)}`}`;
    case "save":
      return `save ${event.tag} ${event.phase}`;
    case "restore":
      return `loading ${event.tag ?? "nothing: from the beginning"}`;
    case "request":
      return event.ok ? undefined : `request ${event.id} had no answer`;
    default:
      return undefined;
  }
}
