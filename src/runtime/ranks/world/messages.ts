import { z } from "zod";

const rank = z.int().min(0);
const problem = z.string().max(4000);

/** What a rank says about itself when it comes. */
export const joinSchema = z.object({
  purpose: z.literal("rank"),
  rank,
  worldSize: z.int().min(1),
  version: z.string().max(100),
  /** How long the others may take to come. */
  timeoutMs: z.number().positive(),
});

/** What a rank says to the rendezvous. */
export const fromRankSchema = z.discriminatedUnion("type", [
  /** It is ready; the others reach it there. */
  z.object({ type: z.literal("here"), listens: z.string().max(300) }),
  /** It waits for all ranks, and hands something to each. */
  z.object({
    type: z.literal("meet"),
    sequence: z.int().min(0),
    what: z.string().max(200),
    value: z.unknown(),
    timeoutMs: z.number().positive(),
  }),
  /** It lives, and is at this operation. */
  z.object({ type: z.literal("alive"), operation: z.int().min(0), what: z.string().max(200) }),
  /** It waited in vain. */
  z.object({ type: z.literal("stalled"), operation: z.int().min(0), problem }),
  /** It gives up, or has found that another rank is gone. */
  z.object({ type: z.literal("abort"), rank, problem }),
  z.object({ type: z.literal("bye") }),
]);
export type FromRank = z.infer<typeof fromRankSchema>;

/** Why no rank can go on: they never met, or one was lost. */
export const verdictSchema = z.object({
  type: z.literal("aborted"),
  /** Absent when they never met. */
  rank: rank.optional(),
  problem,
});
export type Verdict = z.infer<typeof verdictSchema>;

/** What the rendezvous says to a rank. */
export const toRankSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("begin"), peers: z.array(z.string()) }),
  /** Answered with `alive`. */
  z.object({ type: z.literal("where") }),
  z.object({ type: z.literal("met"), sequence: z.int(), values: z.array(z.unknown()) }),
  verdictSchema,
]);
export type ToRank = z.infer<typeof toRankSchema>;

/** How often a rank shows that it lives. */
export const aliveEveryMs = 1000;
/** How long a rank may take to answer where it is, when another waits in vain. */
export const rollCallMs = 3500;
/** The largest message over a rendezvous: identifiers and figures, never data. */
export const frameBytesMax = 16 * 2 ** 20;
/** Ranks of one world. */
export const worldSizeMax = 4096;
