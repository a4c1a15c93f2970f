import type { JobEvent } from "../record/index.ts";
import { ranksText } from "./rank-words.ts";

/** An event for people; undefined for what a timeline need not tell. */
export function eventText(event: Exclude<JobEvent, { kind: "step" }>): string | undefined {
  switch (event.kind) {
    case "generation":
      return `generation ${event.generation} of ${event.ranks} ranks: ${event.reason}`;
    case "save":
      return event.phase === "failed"
        ? `save ${event.tag} failed: ${event.reason ?? ""}`
        : undefined;
    case "restore":
      return restoreText(event);
    case "detect":
      return `noticed by ${event.by} (${ranksText(event.ranks)}): ${event.reason}`;
    case "isolate":
      return `isolated: ${ranksText(event.ranks)}`;
    case "pause":
    case "resume":
      return `${event.kind}: ${event.reason}`;
    case "stuck":
      return `${event.form} (${event.cause ?? "cause unknown"}): ${event.reason}`;
    case "finish":
      return "finished";
    case "give-up":
      return `gave up: ${event.reason}`;
    case "memory":
    case "request":
    case "sometimes":
      return undefined;
  }
}

function restoreText(event: Extract<JobEvent, { kind: "restore" }>): string | undefined {
  const from = event.tag ?? "the beginning";
  if (event.phase === "begun") return undefined;
  if (event.phase === "done") return `back at step ${event.step} from ${from}`;
  return `restore from ${from} ${event.phase}: ${event.reason ?? ""}`;
}
