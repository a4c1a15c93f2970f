import { didYouMean } from "../../platform/config/index.ts";
import { TesseraError } from "../../platform/errors/index.ts";
import { recordWord, wordCondition, wordSentences } from "../../validation/act/index.ts";
import type { NodesPort } from "../api/nodes.ts";
import type { WordTaken } from "../api/words.ts";
import type { Fleet } from "./fleet.ts";

const runsRead = 20;
const eventsRead = 100;

/**
 * Takes a person's word about a node and lets the loop know.
 *
 * @throws E_CLUSTER_UNKNOWN, E_NODE_UNKNOWN, E_CHECK_UNKNOWN
 */
export async function sayWord(
  fleet: Fleet,
  word: Parameters<NodesPort["say"]>[0],
): Promise<WordTaken> {
  const { cluster, node, action, check } = word;
  const { snapshot } = await fleet.node(cluster, node);
  if (check !== undefined && !snapshot.checks.includes(check)) {
    const suggestion = didYouMean(check, snapshot.checks);
    throw new TesseraError("E_CHECK_UNKNOWN", { check, suggestion });
  }
  const keeper = fleet.keeper(cluster);
  const { history, clock } = fleet;
  const nowMs = keeper.assembled?.opened.cluster.clock.nowMs() ?? clock.nowMs();
  const atMs = await recordWord(history, word, {
    nowMs,
    runs: await history.runs({ cluster, node, limit: runsRead }),
    events: await history.nodeEvents({ cluster, node, limit: eventsRead }),
  });
  keeper.wake();
  return {
    cluster,
    node,
    action,
    sentence: `${node} ${wordSentences[action]}. ${wordCondition(action)}`,
    at: new Date(atMs).toISOString(),
  };
}
