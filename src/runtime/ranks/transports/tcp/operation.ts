import assert from "node:assert/strict";
import { messageOf } from "../../../../platform/errors/index.ts";
import type { Clock } from "../../../../platform/time/clock.ts";
import { formatDurationMs } from "../../../../platform/units/index.ts";
import type { ReceiveLane } from "../../world/receive-lane.ts";
import type { SendLane } from "../../world/send-lane.ts";
import type { World } from "../../world/world.ts";
import { headBytes, writeHead } from "./frame-head.ts";
import { type Buffers, Incoming } from "./incoming.ts";
import { Outgoing } from "./outgoing.ts";
import type { Arrival, Schedule, Stretch } from "./schedule.ts";

export interface OperationOptions {
  readonly world: World;
  readonly clock: Clock;
  readonly what: string;
  readonly schedule: Schedule;
  readonly buffers: Buffers;
  /** How long nothing may move before the operation is given up. */
  readonly stallMs: number;
}

/**
 * Carries out one schedule once. Returns when this rank has all it receives and everything it sends
 * has been handed to the system.
 *
 * @throws the world's reason when a rank is lost, hangs or sends something else.
 */
export async function runOperation(options: OperationOptions): Promise<void> {
  const { world, schedule, buffers, what } = options;
  copyOwn(schedule, buffers);
  const operation = world.begin(what);
  const traffic = trafficOf(schedule);
  if (traffic.receives.length === 0 && traffic.sends.length === 0) return;
  const lanes = await Promise.all([
    Promise.all(traffic.receives.map(({ rank }) => world.links.receiveFrom(rank))),
    Promise.all(traffic.sends.map(({ rank }) => world.links.sendTo(rank))),
  ]).catch((error: unknown) => {
    world.signal.throwIfAborted();
    return giveUp(world, () => world.stalled(`${what}: ${messageOf(error)}`));
  });
  await exchange(options, { ...traffic, operation, incoming: lanes[0], outgoing: lanes[1] });
}

/** What a rank receives and sends, by the other rank; nothing is listed that has no elements. */
interface Traffic {
  readonly receives: readonly { readonly rank: number; readonly arrivals: readonly Arrival[] }[];
  readonly sends: readonly {
    readonly rank: number;
    /** Sent at once. */
    readonly own: readonly Stretch[];
    /** All elements, those sent on included. */
    readonly elements: number;
  }[];
}

function trafficOf({ receives, sends, next }: Schedule): Traffic {
  const arriving = [...receives].filter(([, arrivals]) => arrivals.length > 0);
  const forwarded = arriving.flatMap(([, arrivals]) => arrivals.filter(({ forward }) => forward));
  const receivers = new Set([...sends.keys(), ...(forwarded.length > 0 ? [next] : [])]);
  return {
    receives: arriving.map(([rank, arrivals]) => ({ rank, arrivals })),
    sends: [...receivers].map((rank) => {
      const own = sends.get(rank) ?? [];
      const elements = countOf(own) + (rank === next ? countOf(forwarded) : 0);
      return { rank, own, elements };
    }),
  };
}

function countOf(stretches: readonly { readonly count: number }[]): number {
  return stretches.reduce((sum, { count }) => sum + count, 0);
}

/** Moves the data of one operation over its lanes. */
function exchange(
  options: OperationOptions,
  traffic: Traffic & {
    readonly operation: number;
    readonly incoming: readonly ReceiveLane[];
    readonly outgoing: readonly SendLane[];
  },
): Promise<void> {
  const { world, schedule, buffers, what } = options;
  const { operation, incoming, outgoing } = traffic;
  return new Promise<void>((resolve, reject) => {
    const watch = watchProgress(options, schedule);
    const onOver = () => {
      watch.stop();
      reject(world.signal.reason);
    };
    world.signal.addEventListener("abort", onOver, { once: true });
    if (world.signal.aborted) onOver();
    let receiving = traffic.receives.length;
    const finish = () => {
      watch.moved();
      if (receiving > 0 || outs.some(({ out }) => !out.isDone)) return;
      watch.stop();
      world.signal.removeEventListener("abort", onOver);
      resolve();
    };
    const lose = (rank: number) => (error: unknown) =>
      world.abort(`${messageOf(error)} during ${what}`, rank);
    const outs = traffic.sends.map(({ rank, own, elements }, index) => {
      const lane = laneAt(outgoing, index);
      lane.watch(lose(rank));
      const sizeBytes = elements * buffers.width;
      const out = new Outgoing({
        lane,
        sizeBytes: sizeBytes + headBytes,
        onProgress: () => {
          // Who has all it needs may leave while others are still at it.
          if (out.isDone) lane.watch(() => {});
          finish();
        },
      });
      out.push(writeHead({ operation, sizeBytes }));
      for (const stretch of own) out.push(viewOf(stretch, buffers));
      return { rank, out };
    });
    const forwarder = outs.find(({ rank }) => rank === schedule.next)?.out;
    for (const [index, { rank, arrivals }] of traffic.receives.entries()) {
      const sink = new Incoming({
        buffers,
        arrivals,
        head: { operation, sizeBytes: countOf(arrivals) * buffers.width },
        onArrival: (arrival) => {
          if (!arrival.forward) return;
          forwarder?.push(viewOf({ buffer: "out", ...arrival }, buffers));
          forwarder?.pump();
        },
        onProgress: watch.moved,
        onProblem: (problem) => world.abort(`${problem} (${what})`, rank),
      });
      const received = () => {
        receiving -= 1;
        finish();
      };
      laneAt(incoming, index).receive(sink).then(received, lose(rank));
    }
    for (const { out } of outs) out.pump();
  });
}

function laneAt<Lane>(lanes: readonly Lane[], index: number): Lane {
  const lane = lanes[index];
  assert(lane !== undefined, "there is a lane for every other rank");
  return lane;
}

/** Lets the rendezvous name the rank to blame, and throws that. */
function giveUp(world: World, tell: () => void): Promise<never> {
  return new Promise((_, reject) => {
    world.signal.addEventListener("abort", () => reject(world.signal.reason), { once: true });
    tell();
  });
}

/** Complains when nothing has moved for too long. */
function watchProgress(
  { world, clock, what, stallMs }: OperationOptions,
  { receives }: Schedule,
): { moved(): void; stop(): void } {
  let movedMs = clock.monotonicMs();
  const from = [...receives.keys()];
  const look = () => {
    const leftMs = movedMs + stallMs - clock.monotonicMs();
    if (leftMs > 0) {
      timer = clock.setTimer(leftMs, look);
      return;
    }
    const waited = `rank ${world.rank} waited ${formatDurationMs(stallMs)}`;
    const whom = from.length === 1 ? ` for rank ${from[0]}` : "";
    world.stalled(`${waited}${whom} in ${what}`);
  };
  let timer = clock.setTimer(stallMs, look);
  return {
    moved: () => {
      movedMs = clock.monotonicMs();
    },
    stop: () => timer.cancel(),
  };
}

function copyOwn({ local }: Schedule, { own, out, width }: Buffers): void {
  for (const { from, to, count } of local) {
    out.bytes.set(own.bytes.subarray(from * width, (from + count) * width), to * width);
  }
}

function viewOf({ buffer, at, count }: Stretch, { own, out, width }: Buffers): Uint8Array {
  const { bytes } = buffer === "in" ? own : out;
  return bytes.subarray(at * width, (at + count) * width);
}
