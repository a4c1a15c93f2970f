import type { Clock } from "../../../platform/time/clock.ts";
import { Mesh } from "../../dist/index.ts";
import { createTensorWorld, type TensorWorld, type World } from "../../ranks/index.ts";
import type { CollectiveCall } from "../options.ts";
import { groupWorld } from "./group-world.ts";
import { placeOf } from "./mesh-links.ts";
import { parallelAxes, type StepLinks } from "./step-links.ts";
import { receiveTensor, sendTensor } from "./tensor-messages.ts";

export interface WorldLinksOptions {
  readonly world: World;
  readonly clock: Clock;
  /** How long nothing may move before a rank is named. */
  readonly stallMs: number;
  /** Ranks along each axis. They are numbered with `pp` fastest, then `tp`, then `dp`. */
  readonly shape: Readonly<Record<(typeof parallelAxes)[number], number>>;
  /** Called first; what it throws fails the step. */
  readonly before?: (call: Omit<CollectiveCall, "step">) => void;
}

/** Links between real processes. */
export function createWorldLinks(options: WorldLinksOptions): StepLinks {
  const { world, clock, stallMs, shape, before } = options;
  const { rank } = world;
  const mesh = new Mesh({
    axes: parallelAxes,
    shape: parallelAxes.map((axis) => shape[axis]),
    devices: world.worldSize,
  });
  const groups = new Map<string, TensorWorld>();
  /** Ranks in the order in which they call each other; a pair has one group for each direction. */
  const among = (members: readonly number[]): TensorWorld => {
    const key = members.join(" ");
    const group =
      groups.get(key) ?? createTensorWorld({ world: groupWorld(world, members), clock, stallMs });
    groups.set(key, group);
    return group;
  };
  const rankOfStage = (stage: number) =>
    mesh.rankOf(mesh.coordinatesOf(rank).with(mesh.axisIndex("pp"), stage));
  return {
    place: placeOf(mesh, rank),
    allReduce: async (tensor, { over, name }) => {
      const group = mesh.groupOf(rank, over);
      before?.({ name, op: "all-reduce", rank, group });
      return group.length === 1 ? tensor : among(group).allReduce(tensor);
    },
    send: async (tensor, { stage, name }) => {
      const to = rankOfStage(stage);
      before?.({ name, op: "send", rank, group: [rank, to] });
      await sendTensor(among([rank, to]), tensor);
    },
    recv: async ({ stage, name }) => {
      const from = rankOfStage(stage);
      before?.({ name, op: "recv", rank, group: [from, rank] });
      return receiveTensor(among([from, rank]));
    },
    // A real device has what it has.
    computed: (_, tensor) => tensor,
    shared: (_what, _inputs, make) => make(),
  };
}
