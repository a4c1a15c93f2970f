import { z } from "zod";
import { notes, type Store } from "../../platform/store/index.ts";
import { provenances } from "../../platform/words.ts";

const snapshotSchema = z.object({
  format: z.literal("tessera.fleet/1"),
  /** When it was seen, in the cluster's time. */
  atMs: z.number(),
  provenance: z.enum(provenances),
  about: z.string(),
  checks: z.array(z.string()),
  nodes: z.array(
    z.object({
      name: z.string(),
      sku: z.string(),
      rack: z.string(),
      state: z.enum(["free", "busy", "untestable", "under-test", "unseen"]),
      why: z.string(),
    }),
  ),
  truth: z
    .array(
      z
        .object({
          node: z.string(),
          kind: z.string(),
          onsetMs: z.number(),
          endMs: z.number().optional(),
        })
        .transform(({ endMs, ...rest }) => ({ ...rest, endMs })),
    )
    .optional(),
});

/**
 * A cluster as it was last seen by whoever looks after it: what the history cannot tell, such as
 * nodes that were never tested. Reports need it when the cluster itself is not at hand.
 */
export type FleetSnapshot = z.output<typeof snapshotSchema>;

function keyOf(cluster: string): string {
  return `validation.fleet.${cluster}`;
}

/** Keeps the newest look at a cluster in place of the one before. */
export async function saveFleetSnapshot(
  store: Pick<Store, "db">,
  cluster: string,
  snapshot: Omit<FleetSnapshot, "format">,
): Promise<void> {
  await notes.write(store.db, keyOf(cluster), { format: "tessera.fleet/1", ...snapshot });
}

/** The last look at a cluster; undefined when nobody has looked, or nobody who writes as we do. */
export async function loadFleetSnapshot(
  store: Pick<Store, "db">,
  cluster: string,
): Promise<FleetSnapshot | undefined> {
  const parsed = snapshotSchema.safeParse(await notes.read(store.db, keyOf(cluster)));
  return parsed.success ? parsed.data : undefined;
}
