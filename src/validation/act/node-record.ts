import type { NodeEvent } from "../history/history.ts";

/** What was done about a node so far, from its events. */
export interface NodeDeeds {
  /** The newest time we closed it, and for which runs, unless it was opened since. */
  readonly cordoned: { readonly atMs: number; readonly runIds: readonly string[] } | undefined;
  /** The runs we closed it for at any time. */
  readonly answeredRunIds: ReadonlySet<string>;
  /** The newest word of a person, while it holds: `release` until the node is open. */
  readonly override:
    | {
        readonly action: "hold" | "release";
        readonly atMs: number;
        readonly reason: string;
        readonly actor: string;
      }
    | undefined;
  /** When it was last opened by us, or a person said that it is to be. */
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
    case "released": {
      const opened = { ...deeds, cordoned: undefined, override: withoutRelease(deeds) };
      return details["seen"] === true ? opened : { ...opened, releasedAtMs: atMs };
    }
    case "repair":
      return { ...deeds, repairedAtMs: atMs };
    case "override": {
      const action = details["action"];
      if (action === "lapsed") return { ...deeds, override: withoutRelease(deeds) };
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

/** A word to open a node is about one closing: what was carried out says nothing of the next. */
function withoutRelease({ override }: NodeDeeds): NodeDeeds["override"] {
  return override?.action === "release" ? undefined : override;
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === "string" && value !== "" ? value : fallback;
}
