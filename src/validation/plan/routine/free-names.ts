import type { Draft } from "../draft.ts";
import { notFreeRail } from "../rails/index.ts";

/** The nodes that can be tested now as far as the cluster is concerned, in its order. */
export function freeNames({ input }: Draft): readonly string[] {
  return input.nodes.filter((node) => notFreeRail(node) === undefined).map(({ name }) => name);
}
