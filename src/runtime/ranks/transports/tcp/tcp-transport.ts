import { TesseraError } from "../../../../platform/errors/index.ts";
import type { Clock } from "../../../../platform/time/clock.ts";
import { collectiveOps } from "../../../dist/time-model/types.ts";
import { createPattern } from "../../measure/pattern.ts";
import { shapeOf } from "../../measure/shapes.ts";
import { elementsOf, wireFormats } from "../../measure/wire-dtype.ts";
import type { CollectiveTransport, PreparedCollective, PreparedSize } from "../../ranks.ts";
import type { World } from "../../world/world.ts";
import type { Buffers } from "./incoming.ts";
import { runOperation } from "./operation.ts";
import { pieceElementsOf } from "./pieces.ts";
import { type Schedule, scheduleOf } from "./schedule.ts";

export interface TcpTransportOptions {
  readonly world: World;
  readonly clock: Clock;
  /** How long nothing may move before an operation is given up and a rank is named. @default 60_000 */
  readonly stallMs?: number;
}

/** What TCP carries out: all but what is made of several others. */
export const tcpOps = collectiveOps.filter((op) => op !== "hierarchical-all-reduce");

/** Any byte but those of zeros, so that what was never written does not pass for a sum of zeros. */
const unwritten = 0xa5;

/**
 * Collectives over TCP between the ranks of a world: rings for what is summed or goes to all, direct
 * connections for the rest. Data goes from socket to buffer without copies; a rank that does not read
 * holds up its sender instead of filling memory.
 */
export function createTcpTransport(options: TcpTransportOptions): CollectiveTransport {
  const { world } = options;
  const { rank, worldSize } = world;
  return {
    kind: "tcp",
    rank,
    worldSize,
    facts: { transport: "tcp", ranks: worldSize, peers: world.peers },
    ops: tcpOps,
    prepare: async (size) => prepare(size, options),
    barrier: () => world.barrier(),
    abort: (reason) => world.abort(reason),
    close: () => world.leave(),
  };
}

function prepare(size: PreparedSize, options: TcpTransportOptions): PreparedCollective {
  const { world, clock, stallMs = 60_000 } = options;
  const { op, dtype, root = 0 } = size;
  const { rank, worldSize } = world;
  const { bytes: width } = wireFormats[dtype];
  const shape = shapeOf(size, world);
  const pieceElements = pieceElementsOf({ bytes: shape.bytes, worldSize, width });
  const { elements, share } = shape;
  const place = { rank, worldSize, elements, share, root, pieceElements };
  const schedule = scheduleOf({ op, ...place });
  const buffers = allocate(size, { schedule, input: shape.input.elements, pieceElements });
  const pattern = createPattern(dtype, worldSize);
  const refill = () => {
    pattern.fill(buffers.own.bytes, { rank, start: shape.input.start });
    buffers.out.bytes.fill(unwritten);
  };
  refill();
  const answer = () => buffers.out.bytes.subarray(schedule.answerAt * width);
  return {
    bytes: shape.bytes,
    run: async () => {
      const startedMs = clock.monotonicMs();
      if (op === "barrier") await world.barrier();
      else await runOperation({ world, clock, what: op, schedule, buffers, stallMs });
      return { timeUs: (clock.monotonicMs() - startedMs) * 1e3 };
    },
    refill: async () => refill(),
    verify: async () => pattern.verify(answer(), shape.answer),
    close: () => {},
  };
}

function allocate(
  { op, dtype, bytes }: PreparedSize,
  sizes: {
    readonly schedule: Schedule;
    readonly input: number;
    readonly pieceElements: number;
  },
): Buffers {
  const { bytes: width } = wireFormats[dtype];
  const make = (elements: number) => {
    const made = new Uint8Array(elements * width);
    return { bytes: made, elements: elementsOf(made, dtype) };
  };
  try {
    return {
      dtype,
      width,
      own: make(sizes.input),
      out: make(sizes.schedule.outElements),
      received: make(sizes.pieceElements),
    };
  } catch {
    throw new TesseraError("E_COLLECTIVE", {
      op,
      problem: `this process cannot hold two buffers of ${bytes} bytes`,
      remedy: "Measure smaller sizes, or use fewer ranks on this host.",
    });
  }
}
