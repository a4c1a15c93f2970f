import type { Retransmission, Try } from "../../transport/index.ts";
import type { EventKind } from "../engine/index.ts";

/** A place messages come from and go to: a slot, or `controller`. */
export type Endpoint = number;

/** Returned for what never arrives. */
export const never = Number.POSITIVE_INFINITY;

/** Something that was done to links, for undoing it. */
export type LinkHandle = number & { readonly linkHandle: unique symbol };

/** Which links, each in one direction. */
export type LinkScope =
  /**
   * Links between different sides; who is on no side is on one more. `forward`: only from an earlier to a later
   * side. The controller is on the side of slot 0 unless a side names it.
   */
  | {
      readonly kind: "between";
      readonly sides: readonly (readonly Endpoint[])[];
      readonly direction: "both" | "forward";
    }
  | { readonly kind: "link"; readonly from: Endpoint; readonly to: Endpoint }
  /** Every link that begins or ends at one of these. */
  | { readonly kind: "touching"; readonly ends: readonly Endpoint[] }
  /** Links among these. */
  | { readonly kind: "inside"; readonly ends: readonly Endpoint[] };

/** What is done to links while it lasts. Several add up. */
export type LinkEffect =
  | { readonly kind: "cut" }
  | { readonly kind: "latency"; readonly extraUs: number; readonly jitterUs: number }
  /** Share of packets, from 0 to 1; 1 is a cut. */
  | { readonly kind: "loss"; readonly share: number }
  | { readonly kind: "bandwidth"; readonly bytesPerUs: number }
  /** Down for `downUs`, up for `upUs`, and so on; it begins with down. */
  | { readonly kind: "flap"; readonly downUs: number; readonly upUs: number };

/** One hop class: between devices of a node, nodes of a rack, or racks. */
export interface LinkClass {
  readonly latencyUs: number;
  readonly bytesPerUs: number;
  /** Up to so much more, evenly. */
  readonly jitterUs: number;
}

export interface NetworkProfile extends Retransmission {
  readonly node: LinkClass;
  readonly rack: LinkClass;
  readonly fleet: LinkClass;
  /** Between the controller and everybody. */
  readonly control: LinkClass;
  /** Data of one packet. */
  readonly packetBytes: number;
}

/** What a link is like now, with everything that is done to it. */
export interface LinkState {
  /** False: nothing gets through at this moment. */
  readonly isOpen: boolean;
  /** When a link that flaps is open again; now when it is; `never` for a cut. */
  readonly opensUs: number;
  readonly latencyUs: number;
  readonly jitterUs: number;
  readonly bytesPerUs: number;
  readonly loss: number;
}

/**
 * Links between slots, and to the controller. Transports are reliable: loss costs time, not messages, until a
 * connection breaks; order between two ends is kept.
 */
export interface Network {
  /** The end that is no slot: where the coordinator lives, outside of all nodes. */
  readonly controller: Endpoint;
  /**
   * When a message arrives that is sent once, now; or `never`: its link is down, it is lost, or a node is. Bulk
   * transfers (more than one packet) wait for earlier ones of their sender; small messages overtake them.
   */
  deliver(from: Endpoint, to: Endpoint, bytes: number): number;
  /**
   * The same with an event at the other end. What its link does not take is held and sent again, as a reliable
   * transport does, and arrives with the first try that finds the link as it then is open. False when it never
   * will.
   */
  send(
    from: Endpoint,
    to: Endpoint,
    bytes: number,
    kind: EventKind,
    a?: number,
    b?: number,
  ): boolean;
  /** The time of a bulk transfer alone, without waiting and chance, as the links are now; or `never`. */
  transferUs(from: Endpoint, to: Endpoint, bytes: number): number;
  /** When what a link did not take is sent again, from now on; null: the connection breaks before. */
  tryAfter(from: Endpoint, tried: Try): Try | null;
  stateOf(from: Endpoint, to: Endpoint): LinkState;
  /** Whether anything gets through in both directions now. */
  canTalk(one: Endpoint, other: Endpoint): boolean;
  apply(scope: LinkScope, effect: LinkEffect): LinkHandle;
  /** False when it was undone before. */
  undo(handle: LinkHandle): boolean;
  /** Messages that wait for a try that their link takes. */
  readonly held: number;
  /** What links are subjected to, each in a few words; from what deliveries are computed with. */
  lookForFaults(): readonly string[];
}
