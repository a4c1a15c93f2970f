import { runProcess } from "../../../platform/process/index.ts";
import type { Clock, Timer } from "../../../platform/time/index.ts";
import type { Fleet } from "../../plan/index.ts";
import { memoryOf, unlimitMemory } from "../cleanup/memory-limit.ts";
import type { HostDisk } from "../disk/index.ts";
import type { HostControl } from "../faults/host-control.ts";
import type { HostNetwork } from "./network.ts";
import type { Notice } from "./notices.ts";
import type { OrderBook } from "./order-book.ts";
import type { SlotGate } from "./slot-gate.ts";
import type { WorkerPool } from "./worker-pool.ts";

export interface HostControlParts {
  readonly run: string;
  readonly fleet: Fleet;
  readonly slots: number;
  readonly disk: HostDisk;
  readonly clock: Clock;
  readonly pool: WorkerPool;
  readonly gate: SlotGate;
  readonly orders: OrderBook;
  readonly network: HostNetwork;
  readonly available: (slot: number) => void;
  readonly notice: (notice: Notice) => void;
  readonly onExit: (injection: string, pid: number) => void;
  readonly seen: (injection: string, what: string) => void;
  readonly after: (delayUs: number, callback: () => void) => Timer;
}

const toolMs = 10_000;
/** What a process that is told to stop growing may still use. */
const slackBytes = 32 * 2 ** 20;

/** The parts of a run as faults see them. */
export function hostControl(parts: HostControlParts): HostControl {
  const { run, fleet, slots, disk, clock, pool, gate, orders, network } = parts;
  return {
    run,
    fleet,
    slots,
    root: disk.root,
    disk: disk.limited,
    signal: (slot, signal) => pool.signal(slot, signal),
    identityOf: (slot) => pool.identityOf(slot),
    closeSlot: (slot, reason, injection) => gate.close(slot, reason, injection),
    openSlot: (slot, injection) => {
      if (gate.open(slot, injection)) parts.available(slot);
    },
    notice: (noticed, graceUs) => parts.notice({ slots: noticed, graceUs }),
    order: (slot, injection, order) => orders.begin(slot, injection, order),
    endOrders: (injection) => orders.end(injection),
    links: {
      begin: (injection, effect, directions) => network.begin(injection, effect, directions),
      end: (injection) => network.end(injection),
      undoOf: (injection) => network.undoOf(injection),
    },
    seen: parts.seen,
    onExit: parts.onExit,
    after: parts.after,
    limitMemory: async (pid) => {
      const bytes = (await memoryOf(pid)) + slackBytes;
      await runProcess("prlimit", [`--pid=${pid}`, `--as=${bytes}`], { clock, timeoutMs: toolMs });
    },
    unlimitMemory: (identity) => unlimitMemory(identity, clock),
  };
}
