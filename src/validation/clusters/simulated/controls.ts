import assert from "node:assert/strict";
import type { Marks, NodeControls } from "../cluster.ts";
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
  };
}

function setMarks(marks: Map<string, string>, changes: Marks): void {
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) marks.delete(key);
    else marks.set(key, value);
  }
  assert(marks.size <= marksMax, `a node has at most ${marksMax} labels and as many annotations`);
}
