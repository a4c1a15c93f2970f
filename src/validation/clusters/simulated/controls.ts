import assert from "node:assert/strict";
import { isClear, type Marks, type NodeControls, type NodeTraces } from "../cluster.ts";
import type { SimNode } from "./world/sim-node.ts";
import type { World } from "./world/world.ts";

const marksMax = 256;

/** Changes nodes of a simulated cluster. `world` brings it up to date; `changed` is told afterwards. */
export function createControls(world: () => World, changed: () => void): NodeControls {
  const nodeOf = (name: string): SimNode => {
    const node = world().find(name);
    assert(node !== undefined, `there is a node ${name} in the simulated cluster`);
    return node;
  };
  return {
    async mark(name, { labels = {}, annotations = {} }) {
      const node = nodeOf(name);
      setMarks(node.labels, labels);
      setMarks(node.annotations, annotations);
    },
    async cordon(name, reason) {
      const isOurs = world().close(nodeOf(name), reason);
      changed();
      return isOurs;
    },
    async uncordon(name) {
      const isOpen = world().open(nodeOf(name));
      changed();
      return isOpen;
    },
    async traces() {
      return world()
        .all()
        .map(tracesOf)
        .filter((traces) => !isClear(traces));
    },
    async clear(name) {
      const node = nodeOf(name);
      const traces = tracesOf(node);
      if (isClear(traces)) return undefined;
      node.labels.clear();
      node.annotations.clear();
      if (traces.isClosedByUs) world().open(node);
      changed();
      return traces;
    },
  };
}

function tracesOf({ name, closed, labels, annotations }: SimNode): NodeTraces {
  return {
    node: name,
    isClosedByUs: closed?.by === "us",
    labels: [...labels.keys()],
    annotations: [...annotations.keys()],
  };
}

function setMarks(marks: Map<string, string>, changes: Marks): void {
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) marks.delete(key);
    else marks.set(key, value);
  }
  assert(marks.size <= marksMax, `a node has at most ${marksMax} labels and as many annotations`);
}
