import { messageOf, TesseraError } from "../../../platform/errors/index.ts";
import type { Clock } from "../../../platform/time/index.ts";
import { parseAddress } from "../../../runtime/ranks/wire/address.ts";
import { dial } from "../../../runtime/ranks/wire/dial.ts";
import { createPeer, type Peer } from "../../../runtime/ranks/wire/peer.ts";
import { version } from "../../../version.ts";
import { controlFrameBytesMax, type ToHostWorker, type ToRunner } from "../control/messages.ts";
import type { HostWorkerStart } from "../control/worker-order.ts";

/** A line through a network that is cut comes when that heals; the coordinator has limits of its own. */
const dialMs = 600_000;

/** The connection of a worker to its runner. */
export interface ControlLine {
  send(message: ToRunner): void;
  /** Sends what waits, then closes. */
  end(): void;
}

/** Reaches the runner. @throws E_RENDEZVOUS when it is not there */
export async function callRunner(
  start: HostWorkerStart,
  options: {
    readonly purpose: "chaos" | "job";
    readonly clock: Clock;
    readonly onMessage: (message: ToHostWorker) => void;
    readonly onClose: () => void;
  },
): Promise<ControlLine> {
  const { slot, incarnation, secret } = start;
  const { purpose, clock, onMessage, onClose } = options;
  const rendezvous = purpose === "chaos" ? start.runner : start.coordinator;
  const address = parseAddress(rendezvous);
  const fail = (problem: string) => new TesseraError("E_RENDEZVOUS", { rendezvous, problem });
  if (address === undefined) throw fail("it is not an address");
  const words = { purpose, slot, incarnation, version };
  const how = { address, secret, words, clock, timeoutMs: dialMs };
  const dialled = await dial(how).catch((error: unknown) => {
    throw fail(messageOf(error));
  });
  const peer: Peer = createPeer(dialled.socket, {
    ...dialled,
    frameBytesMax: controlFrameBytesMax,
    handlersOf: () => ({
      // The runner is the process that started this one, and of the same version.
      onMessage: (message) => onMessage(message as ToHostWorker),
      onClose,
    }),
  });
  return { send: (message) => peer.send(message), end: () => peer.end() };
}
