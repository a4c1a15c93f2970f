import type { Clock } from "../../../platform/time/clock.ts";
import type { Address } from "../wire/address.ts";
import { listenForPeers } from "../wire/listen.ts";
import { createPeer, type Peer } from "../wire/peer.ts";
import { Hall } from "./hall.ts";
import { frameBytesMax, joinSchema } from "./messages.ts";

/** Where the ranks of one run meet. */
export interface Rendezvous {
  readonly address: Address;
  /** Waits until every rank that came has gone, at most so long, and closes. @default no wait */
  close(options?: { readonly waitMs?: number }): Promise<void>;
}

export interface RendezvousOptions {
  readonly worldSize: number;
  /** Known to the ranks of this run alone. */
  readonly secret: string;
  readonly clock: Clock;
  /** @default "127.0.0.1": ranks of this host alone can come. */
  readonly host?: string;
  /** @default any that is free */
  readonly port?: number;
  /** What ranks must run, too. @default this program's version */
  readonly version?: string;
}

/**
 * Opens a rendezvous: ranks come, are told where the others are, meet for barriers and exchanges, and
 * all hear the same reason when one is lost.
 *
 * @throws the system's error when it cannot listen there.
 */
export async function openRendezvous(options: RendezvousOptions): Promise<Rendezvous> {
  const hall = new Hall(options);
  const { host, port, secret, clock } = options;
  const listener = await listenForPeers({
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
    secret,
    clock,
    admit: (words) => hall.admit(words),
    onSocket: (socket, { words, rest }) => {
      const { rank, timeoutMs } = joinSchema.parse(words);
      const handlersOf = (peer: Peer) => hall.enter(peer, { rank, timeoutMs });
      createPeer(socket, { words, rest, frameBytesMax, handlersOf });
    },
  });
  return {
    address: listener.address,
    close: async ({ waitMs = 0 } = {}) => {
      await hall.emptied(waitMs);
      hall.close();
      await listener.close();
    },
  };
}
