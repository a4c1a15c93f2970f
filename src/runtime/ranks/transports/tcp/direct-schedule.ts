import type { Moves, ScheduleOptions } from "./schedule.ts";
import { arrivalsOf, lane, sendsOf } from "./stretches.ts";

/** Collectives in which ranks have something for single others: a connection for each pair. */
export function directSchedule(options: ScheduleOptions): Moves {
  switch (options.op) {
    case "all-to-all":
      return allToAll(options);
    case "gather":
      return gather(options);
    case "scatter":
      return scatter(options);
    default:
      return { local: [], sends: new Map(), receives: new Map() };
  }
}

const copied = { how: "copy", forward: false } as const;

function allToAll({ rank, worldSize, share, pieceElements }: ScheduleOptions): Moves {
  // Each begins with its neighbour, so that not all send to the same rank at first.
  const others = Array.from({ length: worldSize - 1 }, (_, step) => (rank + 1 + step) % worldSize);
  const of = (other: number) => ({ at: other * share, count: share });
  return {
    local: [{ from: rank * share, to: rank * share, count: share }],
    sends: new Map(others.map((other) => [other, sendsOf(of(other), pieceElements)])),
    receives: new Map(others.map((other) => [other, arrivalsOf(of(other), copied, pieceElements)])),
  };
}

function gather(options: ScheduleOptions): Moves {
  const { rank, share, root, pieceElements } = options;
  if (rank !== root) {
    const own = sendsOf({ at: 0, count: share }, pieceElements);
    return { local: [], sends: lane(root, own), receives: new Map() };
  }
  const comes = (other: number) =>
    arrivalsOf({ at: other * share, count: share }, copied, pieceElements);
  return {
    local: [{ from: 0, to: rank * share, count: share }],
    sends: new Map(),
    receives: new Map(othersThan(root, options).map((other) => [other, comes(other)])),
  };
}

function scatter(options: ScheduleOptions): Moves {
  const { rank, share, root, pieceElements } = options;
  if (rank !== root) {
    const own = arrivalsOf({ at: 0, count: share }, copied, pieceElements);
    return { local: [], sends: new Map(), receives: lane(root, own) };
  }
  const goes = (other: number) => sendsOf({ at: other * share, count: share }, pieceElements);
  return {
    local: [{ from: rank * share, to: 0, count: share }],
    sends: new Map(othersThan(root, options).map((other) => [other, goes(other)])),
    receives: new Map(),
  };
}

function othersThan(root: number, { worldSize }: ScheduleOptions): readonly number[] {
  return Array.from({ length: worldSize }, (_, rank) => rank).filter((rank) => rank !== root);
}
