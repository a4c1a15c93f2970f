import { z } from "zod";
import { notes, type Store } from "../../platform/store/index.ts";

const logSchema = z.object({
  format: z.literal("tessera.coverage/1"),
  days: z.array(z.object({ day: z.number(), covered: z.number(), nodes: z.number() })),
});

/** How much of a cluster was proven at the end of a day, or when somebody last looked on it. */
export interface CoverageDay {
  /** Whole days since the Unix epoch, in the cluster's time. */
  readonly day: number;
  readonly covered: number;
  readonly nodes: number;
}

const daysMax = 31;

/** The days that are on record, oldest first. */
export async function readCoverage(
  { db }: Pick<Store, "db">,
  cluster: string,
): Promise<readonly CoverageDay[]> {
  const parsed = logSchema.safeParse(await notes.read(db, keyOf(cluster)));
  return parsed.success ? parsed.data.days : [];
}

/**
 * Puts a day on record in place of what was noted of it before: nothing else tells later how many
 * nodes there were. Only who leads the cluster may, so that nobody's older look replaces a newer one.
 */
export async function noteCoverage(
  store: Pick<Store, "db">,
  cluster: string,
  noted: CoverageDay,
): Promise<void> {
  const others = (await readCoverage(store, cluster)).filter(({ day }) => day !== noted.day);
  const days = [...others, noted].toSorted((a, b) => a.day - b.day).slice(-daysMax);
  await notes.write(store.db, keyOf(cluster), { format: "tessera.coverage/1", days });
}

function keyOf(cluster: string): string {
  return `control.coverage.${cluster}`;
}
