import { z } from "zod";
import type { ToCoordinator, ToWorker } from "../../elastic/index.ts";

/**
 * The words between the runner of a host world and its workers, beside those of the elastic job itself:
 * where ranks are reached, tripwires, orders to break something, and what was seen of it.
 */

const index = z.int().min(0);
const sentence = z.string().max(4000);

/** What a worker says about itself when it comes. */
export const workerHelloSchema = z.object({
  /** A worker has two lines: chaos's own, and the job's, which is a part of the network that is broken. */
  purpose: z.enum(["chaos", "job"]),
  slot: index,
  incarnation: z.int().min(1),
  version: z.string().max(100),
});

/** Where a rank is among its exchanges. */
const whereSchema = z.object({
  /** The exchange that it waits in; null: it is in none. */
  waiting: z.object({ key: z.string().max(4000), members: z.array(index), nth: index }).nullable(),
  /** By key: how many exchanges it has entered. */
  entered: z.record(z.string(), index),
});
export type Where = z.output<typeof whereSchema>;

/** What passes through the elastic job's own hands is checked by its coordinator. */
const elastic = z.custom<ToCoordinator>((value) => typeof value === "object" && value !== null);

export const toRunnerSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("elastic"), message: elastic }),
  /** Others reach this rank there. Each attempt to restore has connections of its own. */
  z.object({
    type: z.literal("listening"),
    generation: z.int().min(1),
    attempt: z.int().min(1),
    address: z.string().max(300),
  }),
  /** It stands before a tripwire and waits for `go`. */
  z.object({
    type: z.literal("tripped"),
    wire: z.string().max(200),
    token: index,
    /** Tells one save or restore from another: those of the same occasion have the same. */
    occasion: z.string().max(300),
  }),
  /** The planted defect of ranks that are ignored: it has waited for half of the timeout in an exchange. */
  z.object({
    type: z.literal("impatient"),
    generation: z.int().min(1),
    key: z.string().max(4000),
    nth: index,
  }),
  z.object({ type: z.literal("stalled"), call: index, generation: z.int().min(1) }),
  z.object({ type: z.literal("where"), call: index, where: whereSchema }),
  /** An order had its effect. */
  z.object({ type: z.literal("seen"), injection: z.string().max(200), what: sentence }),
  /** A step was done: its computing alone, and exchanges so far along each axis. */
  z.object({
    type: z.literal("pace"),
    step: index,
    computeUs: z.number().min(0),
    collectives: z.object({ dp: index, tp: index, pp: index }),
  }),
  z.object({
    type: z.literal("checkpoint"),
    what: z.enum(["saved", "loaded"]),
    tag: z.string().max(200),
    digest: z.string().max(200),
  }),
  /** It got a SIGTERM, and goes on until it is told otherwise. */
  z.object({ type: z.literal("terminated") }),
]);
export type ToRunner = z.output<typeof toRunnerSchema>;

/** Where a worker halts. */
export interface Tripwire {
  readonly id: string;
  readonly at:
    | { readonly kind: "step"; readonly step: number }
    | { readonly kind: "collective"; readonly axis: "dp" | "tp" | "pp"; readonly nth: number }
    | { readonly kind: "save"; readonly phase: "write" | "commit" }
    | { readonly kind: "restore" };
}

/** Something to break inside a worker; `end` of the same injection takes it back. */
export type WorkerOrder =
  | {
      readonly kind: "corrupt";
      readonly where: "gradient" | "parameter";
      /** So many steps one after the other. */
      readonly times: number;
      readonly bits: {
        readonly first: number;
        readonly stride: number;
        readonly count: number;
        readonly bit: number | "nan";
      };
    }
  /** The next operation of the device fails, hangs, or is reported and goes on. */
  | { readonly kind: "device"; readonly mode: "fail" | "hang" | "report"; readonly reason: string }
  | { readonly kind: "allocate"; readonly bytes: number }
  | { readonly kind: "straggle"; readonly factor: number }
  | { readonly kind: "slow-files"; readonly factor: number }
  | { readonly kind: "full-files"; readonly freeBytes: number }
  /** The disk itself is full: what the kernel refuses is to be told. */
  | { readonly kind: "watch-room" }
  | { readonly kind: "torn-file"; readonly shard: number; readonly count: number };

export type ToHostWorker =
  | { readonly type: "elastic"; readonly message: ToWorker }
  /** All of the generation listen: where this rank reaches each. */
  | {
      readonly type: "meet";
      readonly generation: number;
      readonly attempt: number;
      readonly rendezvous: string;
      readonly peers: readonly string[];
    }
  /** All that are armed from now on. */
  | { readonly type: "wires"; readonly wires: readonly Tripwire[] }
  | { readonly type: "go"; readonly token: number }
  | { readonly type: "order"; readonly injection: string; readonly order: WorkerOrder }
  | { readonly type: "end"; readonly injection: string }
  /** Who has not come to that exchange yet is left out of its sum. */
  | {
      readonly type: "passed-over";
      readonly generation: number;
      readonly key: string;
      readonly nth: number;
    }
  | { readonly type: "where"; readonly call: number }
  | { readonly type: "suspects"; readonly call: number; readonly suspects: readonly number[] };

/** The largest message. */
export const controlFrameBytesMax = 4 * 2 ** 20;
