import { z } from "zod";
import { notes, type Store } from "../../platform/store/index.ts";
import type { AssembledLoop } from "../../validation/assemble/index.ts";

const format = "tessera.leader-word/1";
const wordSchema = z.object({
  troubles: z.array(z.object({ step: z.string(), problem: z.string() })),
  refused: z.object({ nodes: z.number(), reason: z.string() }).optional(),
});
const noteSchema = z.object({
  format: z.literal(format),
  /** In the time of the machine that wrote it. */
  atMs: z.number(),
  word: wordSchema,
});

/** After so long it is nobody's word any more: who said it may be gone. */
export const wordGoodForMs = 120_000;

/** What only whoever leads a cluster knows of it, and every replica has to tell. */
export type LeaderWord = z.output<typeof wordSchema>;

/** Of a cluster that nobody has said anything about. */
export const noWord: LeaderWord = { troubles: [] };

/** What this process knows. Of what an earlier term of it decided nothing holds any more. */
export function ownWord({ loop, care }: Pick<AssembledLoop, "loop" | "care">): LeaderWord {
  const { state, troubles } = loop.status();
  const refusals = state === "leading" ? (care.last()?.decision.refusals ?? []) : [];
  const [first] = refusals;
  return {
    troubles: troubles.map(({ step, problem }) => ({ step, problem })),
    ...(first === undefined ? {} : { refused: { nodes: refusals.length, reason: first.reason } }),
  };
}

/** Tells the other replicas. Only who leads the cluster may. */
export async function noteLeaderWord(
  store: Pick<Store, "db">,
  cluster: string,
  { atMs, word }: { readonly atMs: number; readonly word: LeaderWord },
): Promise<void> {
  await notes.write(store.db, keyOf(cluster), { format, atMs, word });
}

/** What the leader last said, unless that is too long ago. */
export async function readLeaderWord(
  store: Pick<Store, "db">,
  cluster: string,
  nowMs: number,
): Promise<LeaderWord> {
  const { success, data } = noteSchema.safeParse(await notes.read(store.db, keyOf(cluster)));
  return success && Math.abs(nowMs - data.atMs) <= wordGoodForMs ? data.word : noWord;
}

function keyOf(cluster: string): string {
  return `control.leader-word.${cluster}`;
}
