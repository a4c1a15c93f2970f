import assert from "node:assert/strict";
import { messageOf } from "../../../platform/errors/index.ts";
import type { Clock } from "../../../platform/time/index.ts";
import { formatAddress } from "../../../runtime/ranks/wire/address.ts";
import { listenForPeers, type WireListener } from "../../../runtime/ranks/wire/listen.ts";
import { createPeer } from "../../../runtime/ranks/wire/peer.ts";
import { version } from "../../../version.ts";
import type { WorkerName } from "../../elastic/index.ts";
import {
  controlFrameBytesMax,
  type ToRunner,
  toRunnerSchema,
  workerHelloSchema,
} from "../control/messages.ts";
import type { WorkerPool } from "./worker-pool.ts";

export interface ControlDeskOptions {
  readonly host: string;
  readonly secret: string;
  readonly clock: Clock;
  readonly pool: () => WorkerPool;
  readonly onConnected: (worker: WorkerName) => void;
  readonly onMessage: (worker: WorkerName, message: ToRunner) => void;
  readonly onError: (error: unknown) => void;
}

/** Where workers call: each may come once on each of its lines. */
export async function openControlDesk(
  options: ControlDeskOptions,
): Promise<WireListener & { readonly where: string }> {
  const { host, secret, clock, pool } = options;
  const listener = await listenForPeers({
    host,
    secret,
    clock,
    admit: (words) => {
      const { success, data } = workerHelloSchema.safeParse(words);
      if (!success) return { refused: "it does not say which worker it is" };
      if (data.version !== version) return { refused: `it runs Tessera ${data.version}` };
      return pool().expects(data, lineOf(data.purpose))
        ? { words: { version } }
        : { refused: "no such worker is expected" };
    },
    onSocket: (socket, { words, rest }) => {
      const { slot, incarnation, purpose } = workerHelloSchema.parse(words);
      const worker = { slot, incarnation };
      createPeer(socket, {
        words,
        rest,
        frameBytesMax: controlFrameBytesMax,
        handlersOf: (peer) => {
          pool().connected(worker, lineOf(purpose), peer);
          if (purpose === "chaos") options.onConnected(worker);
          return {
            onMessage: (message) => hear(options, worker, message),
            // That its process ends is told by the process itself.
            onClose: () => {},
          };
        },
      });
    },
  });
  return { ...listener, where: formatAddress(listener.address) };
}

function lineOf(purpose: "chaos" | "job"): "line" | "jobLine" {
  return purpose === "chaos" ? "line" : "jobLine";
}

function hear(options: ControlDeskOptions, worker: WorkerName, message: unknown): void {
  const { success, data } = toRunnerSchema.safeParse(message);
  try {
    assert(success, `slot ${worker.slot} said something that is no word of ours`);
    options.onMessage(worker, data);
  } catch (error) {
    // An error here would otherwise end only the connection, and hide.
    options.onError(error instanceof Error ? error : new Error(messageOf(error)));
  }
}
