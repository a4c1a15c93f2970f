import type { NodeEvent } from "../history/history.ts";

/** What was done about a node so far, from its events. */
export interface NodeDeeds {
  /** The newest time we closed it, and for which runs, unless it was opened since. */
  readonly cordoned: { readonly atMs: number; readonly runIds: readonly string[] } | undefined;
  /** The runs we closed it for at any time. */
  readonly answeredRunIds: ReadonlySet<string>;
  /** The newest word of a person, while it holds. */
  readonly override:
    | {
        readonly action: "hold" | "release";
        readonly atMs: number;
        readonly reason: string;
        readonly actor: string;
      }
    | undefined;
  /** When it was last opened, by us or by a person's word. */
  readonly releasedAtMs: number | undefined;
  readonly repairedAtMs: number | undefined;
}

export const noDeeds: NodeDeeds = {
  cordoned: undefined,
  answeredRunIds: new Set(),
  override: undefined,
  releasedAtMs: undefined,
  repairedAtMs: undefined,
};

/** What was done about each node. The order of the events means nothing; their times do. */
export function deedsOf(events: readonly NodeEvent[]): ReadonlyMap<string, NodeDeeds> {
  const deeds = new Map<string, NodeDeeds>();
  const sorted = events.toSorted((a, b) => a.atMs - b.atMs);
  for (const event of sorted) {
    deeds.set(event.node, after(deeds.get(event.node) ?? noDeeds, event));
  }
  return deeds;
}

function after(deeds: NodeDeeds, { kind, atMs, details }: NodeEvent): NodeDeeds {
  switch (kind) {
    case "cordoned": {
      const runIds = textsIn(details["runIds"]);
      const answeredRunIds = new Set([...deeds.answeredRunIds, ...runIds]);
      return { ...deeds, cordoned: { atMs, runIds }, answeredRunIds };
    }
    case "released":
      return { ...deeds, cordoned: undefined, releasedAtMs: atMs };
    case "repair":
      return { ...deeds, repairedAtMs: atMs };
    case "override": {
      const action = details["action"];
      if (action !== "hold" && action !== "release") return deeds;
      const reason = textOr(details["reason"], "no reason given");
      const actor = textOr(details["actor"], "somebody");
      const releasedAtMs = action === "release" ? atMs : deeds.releasedAtMs;
      return { ...deeds, override: { action, atMs, reason, actor }, releasedAtMs };
    }
    default:
      return deeds;
  }
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === "string" && value !== "" ? value : fallback;
}
