import { messageOf } from "../../platform/errors/index.ts";
import type { SlurmClient } from "../../platform/slurm/index.ts";
import type { Clock } from "../../platform/time/index.ts";
import { leadingMark, type NodeMark } from "./marks.ts";
import { releaseNode } from "./undo.ts";

/** A node whose reason begins with the mark of a run. */
export interface Leftover extends NodeMark {
  readonly node: string;
}

/** All that bears the mark of a run, as the controller shows it now: the look that no ledger can fool. */
export async function findLeftovers(client: SlurmClient): Promise<readonly Leftover[]> {
  const nodes = await client.nodes();
  return nodes.flatMap((node) => {
    const mark = leadingMark(node);
    return mark === undefined ? [] : [{ node: node.name, ...mark }];
  });
}

/**
 * Takes back what runs left whose time is over. What cannot be, an operator's perhaps, stops nobody.
 *
 * @returns what was taken back, each in a few words, and what stayed, each in a sentence
 */
export async function clearLeftovers(
  client: SlurmClient,
  clock: Clock,
): Promise<{ readonly cleared: readonly string[]; readonly left: readonly string[] }> {
  const old = (await findLeftovers(client)).filter(({ untilMs }) => untilMs <= clock.nowMs());
  const cleared: string[] = [];
  const left: string[] = [];
  for (const { node, run } of old) {
    const what = `node ${node} of run ${run}`;
    try {
      // Which fault it was, the mark does not say: how the node is decides.
      await releaseNode({ client, clock }, { node, run, takesDown: true });
      cleared.push(what);
    } catch (error) {
      left.push(`${what} could not be taken back: ${messageOf(error)}`);
    }
  }
  return { cleared, left };
}
