import { didYouMean } from "../../platform/config/index.ts";
import { TesseraError } from "../../platform/errors/index.ts";
import type { History, NodeEvent } from "../../validation/history/index.ts";
import type { RunRecord } from "../../validation/run.ts";
import type { OpenedStore } from "../existing-store.ts";
import { usageError } from "../usage-error.ts";

/** A node and what the store has about it. */
export interface KnownNode {
  readonly cluster: string;
  readonly node: string;
  /** Newest plan first. */
  readonly runs: readonly RunRecord[];
  /** Oldest first. */
  readonly events: readonly NodeEvent[];
}

const runsMax = 500;
const eventsMax = 1000;
/** How many of the newest runs are asked for names when a name is not known. */
const namesFromRuns = 5000;

/**
 * Finds a node in the store. Without a cluster it is the one whose runs have it; a cluster that is
 * named is believed, so that a node can be held before it was ever tested.
 *
 * @throws E_NODE_UNKNOWN; E_USAGE when several clusters have a node of that name.
 */
export async function findNode(
  { history, store }: OpenedStore,
  wish: { readonly node: string; readonly cluster: string | undefined; readonly command: string },
): Promise<KnownNode> {
  const { node, command } = wish;
  const all = await history.runs({ node, limit: runsMax });
  const clusters = [...new Set(all.map(({ intent }) => intent.cluster))];
  if (wish.cluster === undefined && clusters.length > 1) {
    const problem = `${clusters.toSorted().join(" and ")} each have a node ${node}: name one with \`--cluster\``;
    throw usageError(command, problem);
  }
  const cluster = wish.cluster ?? clusters[0];
  if (cluster === undefined) throw await unknownNode(history, node, store.shown);
  const events = await history.nodeEvents({ cluster, node, limit: eventsMax });
  return { cluster, node, runs: all.filter(({ intent }) => intent.cluster === cluster), events };
}

async function unknownNode(history: History, node: string, store: string): Promise<TesseraError> {
  const runs = await history.runs({ limit: namesFromRuns });
  const names = [...new Set(runs.map(({ intent }) => intent.node))];
  const suggestion = didYouMean(node, names);
  return new TesseraError("E_NODE_UNKNOWN", { node, store, suggestion });
}
