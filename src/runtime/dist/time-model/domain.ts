import type { CoreOp } from "./library-choice.ts";
import type { Algorithm } from "./types.ts";

/** How a collective inside one domain is asked for. */
export interface DomainQuery {
  readonly op: CoreOp;
  readonly devices: number;
  readonly bytes: number;
  /** Leaves the ring or the switch's arithmetic out. @default whatever the library takes */
  readonly only?: "ring" | "nvls";
}

export interface DomainTime {
  readonly timeUs: number;
  readonly algorithm: Exclude<Algorithm, "auto">;
}

/** The modelled times of one kind of domain, from measured curves. */
export interface DomainModel {
  timeOf(query: DomainQuery): DomainTime;
  /** Whether curves of this size and group were measured. */
  covers(query: DomainQuery): boolean;
}
