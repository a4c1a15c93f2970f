import assert from "node:assert/strict";
import type { TensorWorld } from "../../ranks/index.ts";
import type { CollectiveCall } from "../options.ts";
import type { StepLinks } from "./step-links.ts";

export interface WorldLinksOptions {
  readonly world: TensorWorld;
  /** Called first; what it throws fails the step. */
  readonly before?: (call: Omit<CollectiveCall, "step">) => void;
}

/** Links between real processes that differ by their samples alone (`dp`). */
export function createWorldLinks({ world, before }: WorldLinksOptions): StepLinks {
  const { rank, worldSize } = world.world;
  const group = Array.from({ length: worldSize }, (_, member) => member);
  const alone = { index: 0, size: 1 };
  return {
    place: { dp: { index: rank, size: worldSize }, tp: alone, pp: alone },
    allReduce: async (tensor, { over, name }) => {
      assert(over.includes("dp"), "ranks of a world differ by their samples alone");
      before?.({ name, op: "all-reduce", rank, group });
      return worldSize === 1 ? tensor : world.allReduce(tensor);
    },
    send: () => Promise.reject(onePipelineStage()),
    recv: () => Promise.reject(onePipelineStage()),
    // A real device has what it has.
    computed: (_, tensor) => tensor,
    shared: (_what, _inputs, make) => make(),
  };
}

function onePipelineStage(): Error {
  return new assert.AssertionError({ message: "a world is one pipeline stage" });
}
