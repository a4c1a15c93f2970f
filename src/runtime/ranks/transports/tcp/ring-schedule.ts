import type { Moves, ScheduleOptions } from "./schedule.ts";
import { arrivalsOf, type Chunk, lane, sendsOf } from "./stretches.ts";

/** Collectives on a ring: each rank receives from the one before it and sends to the one after it. */
export function ringSchedule(options: ScheduleOptions): Moves | undefined {
  const { op, worldSize, elements } = options;
  const alone = worldSize === 1;
  switch (op) {
    case "all-reduce":
      return alone ? keepAll(elements) : allReduce(options);
    case "reduce-scatter":
      return alone ? keepAll(elements) : reduceScatter(options);
    case "all-gather":
      return allGather(options);
    case "broadcast":
      return broadcast(options);
    case "reduce":
      return alone ? keepAll(elements) : reduce(options);
    case "send-recv":
    case "permute":
      return alone ? keepAll(elements) : passOn(options);
    default:
      return undefined;
  }
}

/** Each chunk goes round once to be summed, and once more to reach everyone. */
function allReduce(options: ScheduleOptions): Moves {
  const { worldSize, elements, pieceElements } = options;
  const { next, previous, at } = neighbours(options);
  const last = 2 * worldSize - 3;
  const arrivals = steps(last + 1).flatMap((step) => {
    const how = step <= worldSize - 2 ? "add" : "copy";
    const chunk = evenChunk(at(-1 - step), { worldSize, elements });
    return arrivalsOf(chunk, { how, forward: step < last }, pieceElements);
  });
  const own = evenChunk(at(0), { worldSize, elements });
  return {
    local: [],
    sends: lane(next, sendsOf(own, pieceElements)),
    receives: lane(previous, arrivals),
  };
}

function reduceScatter(options: ScheduleOptions): Moves {
  const { rank, worldSize, share, pieceElements } = options;
  const { next, previous, at } = neighbours(options);
  const last = worldSize - 2;
  const arrivals = steps(last + 1).flatMap((step) =>
    arrivalsOf(shareOf(at(-2 - step), share), { how: "add", forward: step < last }, pieceElements),
  );
  return {
    answerAt: rank * share,
    local: [],
    sends: lane(next, sendsOf(shareOf(previous, share), pieceElements)),
    receives: lane(previous, arrivals),
  };
}

function allGather(options: ScheduleOptions): Moves {
  const { rank, worldSize, share, pieceElements } = options;
  const { next, previous, at } = neighbours(options);
  const last = worldSize - 2;
  const arrivals = steps(last + 1).flatMap((step) =>
    arrivalsOf(shareOf(at(-1 - step), share), { how: "copy", forward: step < last }, pieceElements),
  );
  const own = worldSize === 1 ? [] : sendsOf({ at: 0, count: share }, pieceElements);
  return {
    local: [{ from: 0, to: rank * share, count: share }],
    sends: lane(next, own),
    receives: lane(previous, arrivals),
  };
}

/** From the root to the rank before it, piece by piece. */
function broadcast(options: ScheduleOptions): Moves {
  const { rank, worldSize, elements, root, pieceElements } = options;
  const { next, previous } = neighbours(options);
  const whole = { at: 0, count: elements };
  if (rank === root) {
    const own = worldSize === 1 ? [] : sendsOf(whole, pieceElements);
    return { ...keepAll(elements), sends: lane(next, own) };
  }
  const how = { how: "copy", forward: next !== root } as const;
  const arrivals = arrivalsOf(whole, how, pieceElements);
  return { local: [], sends: new Map(), receives: lane(previous, arrivals) };
}

/** From the rank after the root round to the root, each adding its own. */
function reduce(options: ScheduleOptions): Moves {
  const { rank, elements, root, pieceElements } = options;
  const { next, previous } = neighbours(options);
  const whole = { at: 0, count: elements };
  if (previous === root) {
    const own = sendsOf(whole, pieceElements);
    return { local: [], sends: lane(next, own), receives: new Map() };
  }
  const arrivals = arrivalsOf(whole, { how: "add", forward: rank !== root }, pieceElements);
  return { local: [], sends: new Map(), receives: lane(previous, arrivals) };
}

function passOn(options: ScheduleOptions): Moves {
  const { elements, pieceElements } = options;
  const { next, previous } = neighbours(options);
  const whole = { at: 0, count: elements };
  return {
    local: [],
    sends: lane(next, sendsOf(whole, pieceElements)),
    receives: lane(previous, arrivalsOf(whole, { how: "copy", forward: false }, pieceElements)),
  };
}

/** A rank alone has its answer already. */
function keepAll(elements: number): Moves {
  return {
    local: [{ from: 0, to: 0, count: elements }],
    sends: new Map(),
    receives: new Map(),
  };
}

function neighbours({ rank, worldSize }: ScheduleOptions) {
  const at = (offset: number) => (((rank + offset) % worldSize) + worldSize) % worldSize;
  return { next: at(1), previous: at(-1), at };
}

function shareOf(rank: number, share: number): Chunk {
  return { at: rank * share, count: share };
}

/** The chunk of one rank when elements are shared out as evenly as can be. */
function evenChunk(
  index: number,
  { worldSize, elements }: Pick<ScheduleOptions, "worldSize" | "elements">,
): Chunk {
  const at = Math.floor((index * elements) / worldSize);
  return { at, count: Math.floor(((index + 1) * elements) / worldSize) - at };
}

function steps(count: number): readonly number[] {
  return Array.from({ length: Math.max(0, count) }, (_, step) => step);
}
