import { TesseraError } from "../../../platform/errors/index.ts";
import type { NodeObject } from "../../objects/index.ts";
import { nvSentinelNames } from "./names.ts";

/** What a step looks at on a node; times are replaced by `<time>`. */
export interface NodeSurface {
  readonly unschedulable: boolean;
  readonly taints: readonly { readonly key: string; readonly effect: string }[];
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, unknown>>;
}

/** What NVSentinel shows on a node, without what differs from run to run. */
export function nodeSurface(node: NodeObject): NodeSurface {
  const { labels = {}, annotations = {} } = node.metadata;
  return {
    unschedulable: node.spec?.unschedulable === true,
    taints: (node.spec?.taints ?? [])
      .filter(({ key }) => !key.startsWith("node.kubernetes.io/"))
      .map(({ key, effect }) => ({ key, effect })),
    labels: pick(labels, Object.values(nvSentinelNames.labels), (key, value) =>
      key.endsWith("-timestamp") ? "<time>" : value,
    ),
    annotations: pick(annotations, Object.values(nvSentinelNames.annotations), (key, value) =>
      key === nvSentinelNames.annotations.event ? plainEvents(value) : value,
    ),
  };
}

/** Ids and times differ from run to run, and where a store gives the ids they may be absent. */
function plainEvents(text: string): unknown {
  try {
    const events = JSON.parse(text) as readonly Readonly<Record<string, unknown>>[];
    return events.map(({ id: _id, generatedTimestamp: _at, ...event }) => event);
  } catch (error) {
    const problem = "the annotation of its events is no JSON";
    throw new TesseraError(
      "E_HW_FAILED",
      { what: "the conformance run", problem },
      { cause: error },
    );
  }
}

function pick<T>(
  from: Readonly<Record<string, string>>,
  keys: readonly string[],
  show: (key: string, value: string) => T,
): Record<string, T> {
  return Object.fromEntries(
    keys.flatMap((key) => {
      const value = from[key];
      return value === undefined ? [] : [[key, show(key, value)]];
    }),
  );
}
