import type { Draft } from "../draft.ts";

/** The nodes that can be tested now as far as the cluster and people are concerned, in its order. */
export function freeNames(draft: Draft): readonly string[] {
  const free = draft.input.nodes.filter((node) => draft.notFree(node) === undefined);
  return free.map(({ name }) => name);
}
