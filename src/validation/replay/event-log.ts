import type { Fleet } from "../prioritize/index.ts";

/**
 * One event of a log, nodes by their place in the fleet. The lines of one multi-node crash are one
 * event. `cause` is the defect behind it, which no policy sees.
 */
export type LogEvent =
  | { readonly type: "free"; readonly t: number; readonly node: number }
  | { readonly type: "busy"; readonly t: number; readonly node: number }
  | {
      readonly type: "crash";
      readonly t: number;
      readonly job: string;
      readonly nodes: readonly number[];
      readonly causes: readonly string[];
    }
  | {
      readonly type: "kernel";
      readonly t: number;
      readonly node: number;
      readonly xid: number;
      readonly cause: string | undefined;
    }
  | {
      readonly type: "defect";
      readonly t: number;
      readonly node: number;
      readonly id: string;
      readonly kind: string;
    }
  | {
      readonly type: "repair";
      readonly t: number;
      readonly node: number;
      readonly cause: string | undefined;
    };

/** A log that was read and checked: the fleet, and its events by time. */
export interface EventLog {
  readonly fleet: Fleet;
  readonly events: readonly LogEvent[];
}
