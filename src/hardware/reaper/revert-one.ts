import { isDeepStrictEqual } from "node:util";
import { messageOf } from "../../platform/errors/index.ts";
import type { KubeClient } from "../../platform/kube/index.ts";
import type { Clock } from "../../platform/time/index.ts";
import { claimed, ended, entryDone, type FaultBook, over, revertFailed } from "../faults/index.ts";
import {
  type ControlUndo,
  type EndReason,
  type HardwareFault,
  type NodeUndo,
  nodeOf,
  type UndoEntry,
} from "../objects/index.ts";
import { causeOf, takeBack } from "../undo/index.ts";
import {
  canTakeBack,
  type DueOptions,
  dueFaults,
  endReasonOf,
  leaseUntilMs,
  nextEntry,
} from "./due-faults.ts";

/** What taking a fault back stands on. */
export interface RevertPorts extends DueOptions {
  readonly book: FaultBook;
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly disarm?: (undo: ControlUndo) => Promise<void>;
  /** The faults as last heard of. @default they are listed */
  readonly known?: () => readonly HardwareFault[] | undefined;
  readonly settleMs?: number;
  readonly signal?: AbortSignal;
}

/** Somebody else takes the fault back, or it does not end any more. */
class LostClaimError extends Error {}

/**
 * Claims a fault and takes it back, entry by entry, each written down before the next. Stops without
 * a word when another reaper takes over: that one goes on.
 *
 * @param asked ends it for this reason in the same write, if nothing has before
 * @returns the fault as it is then: `reverted`, `failed`, `revert-failed`, or in another's hands
 */
export async function revertOne(
  ports: RevertPorts,
  fault: HardwareFault,
  asked?: EndReason,
): Promise<HardwareFault> {
  const { book, signal } = ports;
  const { name = "" } = fault.metadata;
  try {
    return await goOn(ports, await claim(ports, fault, asked));
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof LostClaimError) return await book.get(name);
    const message = messageOf(error);
    return await book.change(name, (status, stamp, found) =>
      isOurs(found, ports.by) ? revertFailed(status, message, stamp) : undefined,
    );
  }
}

/** Writes our name into the fault; after a conflict only if nobody else has. */
function claim(
  ports: RevertPorts,
  fault: HardwareFault,
  asked: EndReason | undefined,
): Promise<HardwareFault> {
  return ports.book.change(
    fault.metadata.name ?? "",
    (status, stamp, found) => {
      const ending = asked === undefined ? status : (ended(status, asked, stamp) ?? status);
      const [due] = dueFaults([{ ...found, status: ending }], stamp.nowMs, ports);
      if (due === undefined) throw new LostClaimError();
      return claimed(ending, due.reason, stamp);
    },
    fault,
  );
}

async function goOn(ports: RevertPorts, fault: HardwareFault): Promise<HardwareFault> {
  const { book, by, clock } = ports;
  const { name = "" } = fault.metadata;
  let current = fault;
  for (;;) {
    const next = nextEntry(current);
    if (next === undefined) return await finish(ports, current);
    const { index, entry } = next;
    if (!canTakeBack(current, entry, clock.nowMs(), ports.disarms)) return current;
    const left = await takeBackEntry(ports, current, entry);
    current = await book.change(
      name,
      (status, stamp, found) => {
        if (!isOurs(found, by)) throw new LostClaimError();
        const done = entryDone(status, index, left, stamp);
        const all = (done.undo ?? []).every(({ doneAt }) => doneAt !== undefined);
        return all ? over(done, stamp) : done;
      },
      current,
    );
    if (current.status?.state !== "reverting") return current;
  }
}

function finish({ book, by }: RevertPorts, fault: HardwareFault): Promise<HardwareFault> {
  return book.change(
    fault.metadata.name ?? "",
    (status, stamp, found) => {
      if (!isOurs(found, by)) throw new LostClaimError();
      return over(status, stamp);
    },
    fault,
  );
}

async function takeBackEntry(
  ports: RevertPorts,
  fault: HardwareFault,
  entry: UndoEntry,
): Promise<readonly string[]> {
  const { client, clock, disarm, settleMs, signal } = ports;
  const other = entry.kind === "node" ? await otherInForce(ports, fault, entry) : undefined;
  if (other !== undefined)
    return [`the node is left to the fault ${other}, which is in force on it`];
  const cause = causeOf(fault);
  const { left } = await takeBack(entry, {
    client,
    clock,
    fault: fault.metadata.name ?? "",
    leaseUntilMs: leaseUntilMs(fault),
    ...(disarm === undefined || !ports.disarms(entry) ? {} : { disarm }),
    ...(cause === undefined ? {} : { cause }),
    ...(settleMs === undefined ? {} : { settleMs }),
    ...(signal === undefined ? {} : { signal }),
  });
  return left;
}

/**
 * A fault that goes on and remembers the node just as this one puts it back when it ends, which is
 * later than now: until then the node shows that fault's marks too. Only a fresh list may say so;
 * one that has ended since would put back nothing.
 */
async function otherInForce(
  { book, clock, known }: RevertPorts,
  fault: HardwareFault,
  undo: NodeUndo,
): Promise<string | undefined> {
  const goesOn = (other: HardwareFault) =>
    other.metadata.name !== fault.metadata.name &&
    nodeOf(other.spec.action) === undo.node &&
    endReasonOf(other, clock.nowMs()) === undefined &&
    (other.status?.undo ?? []).some(
      (entry) => entry.kind === "node" && isDeepStrictEqual(entry.before, undo.before),
    );
  if (known?.()?.some(goesOn) === false) return undefined;
  return (await book.list({ node: undo.node, live: true })).find(goesOn)?.metadata.name;
}

function isOurs({ status }: HardwareFault, by: string): boolean {
  return status?.state === "reverting" && status.history?.at(-1)?.by === by;
}
