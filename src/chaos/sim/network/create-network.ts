import assert from "node:assert/strict";
import type { ChanceRows, ChanceStream } from "../../chance/index.ts";
import { nextTry, type Try } from "../../transport/index.ts";
import type { EventKind, SimEngine } from "../engine/index.ts";
import type { Machines } from "../machines/index.ts";
import { ArrivalOrder } from "./arrival-order.ts";
import { LinkEffects } from "./effects.ts";
import { type HeldConnection, HeldMessages } from "./held-messages.ts";
import {
  type Endpoint,
  type LinkClass,
  type LinkEffect,
  type LinkHandle,
  type LinkScope,
  type LinkState,
  type Network,
  type NetworkProfile,
  never,
} from "./network.ts";
import { usualNetwork } from "./profile.ts";

export interface NetworkOptions {
  readonly engine: SimEngine;
  readonly machines: Machines;
  /** @default usualNetwork */
  readonly profile?: NetworkProfile;
}

/** One that its link did not take. */
interface Message {
  readonly from: Endpoint;
  readonly to: Endpoint;
  readonly bytes: number;
  readonly kind: EventKind;
  readonly a: number;
  readonly b: number;
}

/** As much as the buffers of real connections: what is sent beyond it is lost. */
const heldMax = 2 ** 16;

/** Links between all slots of the machines and to the controller, with nothing done to them. */
export function createNetwork(options: NetworkOptions): Network {
  return new FleetNetwork(options);
}

class FleetNetwork implements Network {
  readonly controller: Endpoint;
  readonly #engine: SimEngine;
  readonly #machines: Machines;
  readonly #profile: NetworkProfile;
  readonly #effects: LinkEffects;
  readonly #order = new ArrivalOrder();
  /** By slot: the last arrival of a small message to the controller, and from it. Most messages are those. */
  readonly #lastUpUs: Float64Array;
  readonly #lastDownUs: Float64Array;
  readonly #jitter: ChanceRows;
  readonly #loss: ChanceStream[] = [];
  readonly #late: ChanceStream[] = [];
  /** By sender: when its last bulk transfer has left. */
  readonly #busyUntilUs: Float64Array;
  readonly #held = new HeldMessages<Message>();
  readonly #resend: EventKind;
  #handles = 0;

  constructor({ engine, machines, profile = usualNetwork }: NetworkOptions) {
    this.#engine = engine;
    this.#machines = machines;
    this.#profile = profile;
    this.controller = machines.layout.slots;
    this.#effects = new LinkEffects(machines.layout.slots);
    this.#busyUntilUs = new Float64Array(machines.layout.slots + 1);
    this.#lastUpUs = new Float64Array(machines.layout.slots);
    this.#lastDownUs = new Float64Array(machines.layout.slots);
    this.#jitter = engine.chance.rows("network.jitter", this.controller + 1);
    this.#resend = engine.kind("network.resend", (from, way) => this.#sendAgain(from, way));
    machines.listen({ nodeLost: (node) => this.#dropOf(node) });
  }

  get held(): number {
    return this.#held.size;
  }

  deliver(from: Endpoint, to: Endpoint, bytes: number): number {
    const { nowUs } = this.#engine;
    if (from === to) return nowUs;
    if (!this.#isUp(from) || !this.#isUp(to)) return never;
    const of = this.#classOf(from, to);
    if (this.#effects.isEmpty) return this.#arrival(from, to, bytes, of, 0);
    const state = this.#effects.stateOf(from, to, of, nowUs);
    if (!state.isOpen) return never;
    if (state.loss > 0 && this.#lossOf(from).bernoulli(state.loss)) return never;
    return this.#arrival(from, to, bytes, state, state.loss);
  }

  // Its words one by one: there are millions of messages, and an object for each would be garbage at once.
  send(from: Endpoint, to: Endpoint, bytes: number, kind: EventKind, a = 0, b = 0): boolean {
    // What was sent earlier has to arrive earlier.
    const isBehind =
      this.#held.size > 0 && this.#held.of(this.#connectionOf(from, to, bytes)) !== undefined;
    if (!isBehind) {
      const arrivalUs = this.deliver(from, to, bytes);
      if (arrivalUs !== never) {
        this.#engine.at(arrivalUs, kind, a, b);
        return true;
      }
      if (!this.#isUp(from) || !this.#isUp(to)) return false;
    }
    return this.#hold({ from, to, bytes, kind, a, b }, isBehind);
  }

  transferUs(from: Endpoint, to: Endpoint, bytes: number): number {
    if (from === to) return 0;
    if (!this.#isUp(from) || !this.#isUp(to)) return never;
    const { nowUs } = this.#engine;
    const state = this.#effects.stateOf(from, to, this.#classOf(from, to), nowUs);
    if (state.opensUs === never) return never;
    const { loss } = state;
    const againUs = (loss / (1 - loss)) * this.#profile.retransmitUs;
    return state.latencyUs + this.#wireUs(bytes, state, loss) + Math.round(againUs);
  }

  tryAfter(from: Endpoint, tried: Try): Try | null {
    return nextTry(tried, this.#engine.nowUs, this.#profile, () => this.#lateOf(from).float());
  }

  stateOf(from: Endpoint, to: Endpoint): LinkState {
    const { nowUs } = this.#engine;
    const areUp = this.#isUp(from) && this.#isUp(to);
    const state = this.#effects.stateOf(from, to, this.#classOf(from, to), nowUs);
    return areUp ? state : { ...state, isOpen: false, opensUs: never };
  }

  canTalk(one: Endpoint, other: Endpoint): boolean {
    if (one === other) return this.#isUp(one);
    return this.stateOf(one, other).isOpen && this.stateOf(other, one).isOpen;
  }

  apply(scope: LinkScope, effect: LinkEffect): LinkHandle {
    const handle = ++this.#handles as LinkHandle;
    this.#effects.add(handle, scope, effect, this.#engine.nowUs);
    this.#engine.note(`network.${effect.kind}`, handle);
    return handle;
  }

  undo(handle: LinkHandle): boolean {
    if (!this.#effects.delete(handle)) return false;
    this.#engine.note("network.undo", handle);
    for (const connection of this.#held.connections()) {
      const held = this.#held.of(connection);
      if (held?.dueUs === never) this.#planTry(connection, held);
    }
    return true;
  }

  lookForFaults(): readonly string[] {
    return this.#effects.describe();
  }

  /** Keeps what its link did not take, or what is behind such a message. False: there is no room. */
  #hold(message: Message, isBehind: boolean): boolean {
    if (this.#held.size >= heldMax) return false;
    const connection = this.#connectionOf(message.from, message.to, message.bytes);
    const held = this.#held.add(connection, message, this.#engine.nowUs);
    if (!isBehind) this.#planTry(connection, held);
    return true;
  }

  /** The next try of a connection; none while its link is cut, as nothing will change before that ends. */
  #planTry(connection: number, held: HeldConnection<Message>): void {
    const [from, to] = this.#endsOf(connection);
    held.dueUs = never;
    if (this.#isCut(from, to)) return;
    const next = this.tryAfter(from, held.tried);
    if (next === null) {
      this.#held.take(connection);
      return;
    }
    held.tried = next;
    held.dueUs = next.atUs;
    this.#engine.at(next.atUs, this.#resend, from, 2 * to + (connection % 2));
  }

  /** A connection tries again: what its link takes now is on its way, from the first on. */
  #sendAgain(from: Endpoint, way: number): void {
    const connection = 2 * (from * (this.controller + 1) + Math.floor(way / 2)) + (way % 2);
    const held = this.#held.of(connection);
    const { nowUs } = this.#engine;
    // What was lost with a node, and began anew, has another time.
    if (held?.dueUs !== nowUs) return;
    let passed = 0;
    for (const message of held.messages) {
      const arrivalUs = this.deliver(message.from, message.to, message.bytes);
      if (arrivalUs === never) break;
      this.#engine.at(arrivalUs, message.kind, message.a, message.b);
      passed++;
    }
    this.#held.take(connection, passed);
    if (held.messages.length === 0) return;
    // Who was answered counts its tries anew.
    if (passed > 0) held.tried = { atUs: nowUs, before: 0 };
    this.#planTry(connection, held);
  }

  /** What is held on a lost node, or for it, is lost with it. */
  #dropOf(node: number): void {
    const { layout } = this.#machines;
    for (const connection of this.#held.connections()) {
      const isOnIt = (end: Endpoint) => end !== this.controller && layout.nodeOf(end) === node;
      if (this.#endsOf(connection).some(isOnIt)) this.#held.take(connection);
    }
  }

  #connectionOf(from: Endpoint, to: Endpoint, bytes: number): number {
    const isBulk = bytes > this.#profile.packetBytes;
    return 2 * (from * (this.controller + 1) + to) + (isBulk ? 1 : 0);
  }

  #endsOf(connection: number): readonly [from: Endpoint, to: Endpoint] {
    const pair = Math.floor(connection / 2);
    const ends = this.controller + 1;
    return [Math.floor(pair / ends), pair % ends];
  }

  /** Nothing gets through until something is undone. A link that flaps is not cut. */
  #isCut(from: Endpoint, to: Endpoint): boolean {
    return this.stateOf(from, to).opensUs === never;
  }

  #arrival(from: Endpoint, to: Endpoint, bytes: number, link: LinkClass, loss: number): number {
    const { nowUs } = this.#engine;
    const isBulk = bytes > this.#profile.packetBytes;
    const wireUs = this.#wireUs(bytes, link, loss);
    let leftUs = nowUs + wireUs;
    if (isBulk) {
      leftUs = Math.max(nowUs, this.#busyUntilUs[from] as number) + wireUs;
      this.#busyUntilUs[from] = leftUs;
    }
    const jitterUs =
      link.jitterUs > 0
        ? Math.floor(this.#jitter.uint32(from) * 2 ** -32 * (link.jitterUs + 1))
        : 0;
    const alone = leftUs + link.latencyUs + jitterUs;
    if (!isBulk && to === this.controller) return notBefore(this.#lastUpUs, from, alone);
    if (!isBulk && from === this.controller) return notBefore(this.#lastDownUs, to, alone);
    return this.#order.inOrder(this.#connectionOf(from, to, bytes), alone, nowUs);
  }

  /**
   * The time on the wire. Under loss a transport sends no faster than one packet in a round trip times the
   * root of 2/3 of the loss (Mathis and others, "The macroscopic behavior of the TCP congestion avoidance
   * algorithm", 1997), and sends what is lost again.
   */
  #wireUs(bytes: number, { latencyUs, bytesPerUs }: LinkClass, loss: number): number {
    if (loss === 0) return Math.ceil(bytes / bytesPerUs);
    const roundTripUs = Math.max(1, 2 * latencyUs);
    const congested = this.#profile.packetBytes / (roundTripUs * Math.sqrt((2 * loss) / 3));
    return Math.ceil(bytes / (Math.min(bytesPerUs, congested) * (1 - loss)));
  }

  #classOf(from: Endpoint, to: Endpoint): LinkClass {
    const { controller } = this;
    if (from === controller || to === controller) return this.#profile.control;
    const { layout } = this.#machines;
    const [one, other] = [layout.nodeOf(from), layout.nodeOf(to)];
    if (one === other) return this.#profile.node;
    return layout.rackOf(one) === layout.rackOf(other) ? this.#profile.rack : this.#profile.fleet;
  }

  #isUp(end: Endpoint): boolean {
    if (!(end >= 0 && end <= this.controller)) assert.fail("an end of the network");
    if (this.#machines.areAllNodesUp || end === this.controller) return true;
    return this.#machines.isNodeUp(this.#machines.layout.nodeOf(end));
  }

  #lateOf(from: Endpoint): ChanceStream {
    return (this.#late[from] ??= this.#engine.chance.stream("network.late", from));
  }

  #lossOf(from: Endpoint): ChanceStream {
    return (this.#loss[from] ??= this.#engine.chance.stream("network.loss", from));
  }
}

/** The arrival of a message that does not overtake the one before. Remembers it. */
function notBefore(lastUs: Float64Array, at: number, arrivalUs: number): number {
  const inOrder = Math.max(arrivalUs, lastUs[at] as number);
  lastUs[at] = inOrder;
  return inOrder;
}
