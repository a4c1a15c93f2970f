import { createHash } from "node:crypto";
import type { CampaignBook, CampaignWorker, KnownRuns } from "../../../chaos/campaign/index.ts";
import type { Invocation } from "../../invocation.ts";

/** A campaign whose runs are kept in the store of the configuration. */
export interface KeptCampaign {
  readonly book: CampaignBook;
  /** Of earlier starts. */
  readonly known: KnownRuns;
  /** Its name in a cluster, where other installations may have campaigns of the same name. */
  readonly label: string;
  close(): Promise<void>;
}

/**
 * Opens the campaign of this name and makes one of its runs again, to see that this program makes the
 * same ones.
 *
 * @throws E_CAMPAIGN when it is another campaign, and whatever `openStore` throws.
 */
export async function openKeptCampaign(
  invocation: Invocation,
  about: { readonly name: string; readonly seed: string; readonly worker: CampaignWorker },
): Promise<KeptCampaign> {
  const [{ values }, log, { openStore }, { checkKnown, openCampaignBook }] = await Promise.all([
    invocation.config(),
    invocation.log(),
    import("../../../platform/store/index.ts"),
    import("../../../chaos/campaign/index.ts"),
  ]);
  const { clock } = invocation;
  const { name, seed, worker } = about;
  const store = await openStore({ url: values.store.url, clock, log });
  try {
    const book = await openCampaignBook(store, { name, seed, nowMs: clock.nowMs() });
    const known = await book.read();
    await checkKnown(seed, known.runs, worker);
    const hash = createHash("sha256").update(`${store.instance.id} ${name}`).digest("hex");
    const label = `tessera-campaign-${hash.slice(0, 10)}`;
    return { book, known, label, close: () => store.close() };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** A name that no other campaign has, for one that nobody named. */
export async function freshCampaignName(): Promise<string> {
  const { randomSeed } = await import("../../../platform/rng/index.ts");
  return `campaign-${createHash("sha256").update(randomSeed()).digest("hex").slice(0, 10)}`;
}
