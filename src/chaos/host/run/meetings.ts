import type { Clock } from "../../../platform/time/index.ts";
import { openRendezvous, type Rendezvous } from "../../../runtime/ranks/index.ts";
import { formatAddress } from "../../../runtime/ranks/wire/address.ts";
import type { WorkerName } from "../../elastic/index.ts";
import type { ToHostWorker } from "../control/messages.ts";
import type { LinkProxy } from "../proxy/link-proxy.ts";

export interface MeetingsOptions {
  readonly clock: Clock;
  readonly secret: string;
  readonly host: string;
  readonly proxy: LinkProxy;
  readonly send: (worker: WorkerName, message: ToHostWorker) => void;
  readonly onError: (error: unknown) => void;
}

interface Meeting {
  readonly generation: number;
  readonly members: readonly WorkerName[];
  /** By attempt and rank: where it listens. */
  readonly listening: Map<number, Map<number, string>>;
}

/** Lets the ranks of a generation meet: waits until all listen, then tells each where it reaches the others. */
export class Meetings {
  readonly #o: MeetingsOptions;
  #meeting: Meeting | undefined;
  #rendezvous: Rendezvous[] = [];

  constructor(options: MeetingsOptions) {
    this.#o = options;
  }

  /** A generation is being formed; what was said for older ones does not count any more. */
  begin(generation: number, members: readonly WorkerName[]): void {
    if (this.#meeting?.generation === generation) return;
    this.#meeting = { generation, members, listening: new Map() };
  }

  listening(
    worker: WorkerName,
    at: { readonly generation: number; readonly attempt: number; readonly address: string },
  ): void {
    const meeting = this.#meeting;
    if (meeting === undefined || meeting.generation !== at.generation) return;
    const rank = meeting.members.findIndex(
      ({ slot, incarnation }) => slot === worker.slot && incarnation === worker.incarnation,
    );
    if (rank < 0) return;
    const places = meeting.listening.get(at.attempt) ?? new Map<number, string>();
    meeting.listening.set(at.attempt, places.set(rank, at.address));
    if (places.size < meeting.members.length) return;
    this.#meet(meeting, at.attempt, places).catch(this.#o.onError);
  }

  async close(): Promise<void> {
    this.#meeting = undefined;
    await Promise.all(this.#rendezvous.map((one) => one.close()));
    this.#rendezvous = [];
  }

  async #meet(
    meeting: Meeting,
    attempt: number,
    places: ReadonlyMap<number, string>,
  ): Promise<void> {
    const { clock, secret, host, proxy, send } = this.#o;
    const { members, generation } = meeting;
    const before = this.#rendezvous;
    const rendezvous = await openRendezvous({ worldSize: members.length, secret, clock, host });
    this.#rendezvous = [rendezvous];
    // All listen anew, so all have left the old ones.
    await Promise.all(before.map((one) => one.close()));
    if (this.#meeting !== meeting) return;
    for (const [rank, address] of places) {
      proxy.setTarget((members[rank] as WorkerName).slot, address);
    }
    proxy.beginAttempt();
    for (const worker of members) {
      const peers = members.map(({ slot }) =>
        slot === worker.slot ? "" : proxy.addressFor(worker.slot, slot),
      );
      const where = formatAddress(rendezvous.address);
      send(worker, { type: "meet", generation, attempt, rendezvous: where, peers });
    }
  }
}
