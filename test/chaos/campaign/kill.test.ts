import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openCampaignBook } from "../../../src/chaos/campaign/index.ts";
import { openExistingStore, openStore } from "../../../src/platform/store/index.ts";
import { createRealClock } from "../../../src/platform/time/index.ts";
import { runCli, startCli } from "../../support/built-cli.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { waitUntil } from "../../support/wait-until.ts";

const clock = createRealClock();
/** Generous: other suites may use all processors. */
const limitMs = 180_000;

/** Runs that the store has. */
async function keptRuns(url: string): Promise<number> {
  const store = await openExistingStore({ url, clock }).catch(() => undefined);
  if (store === undefined) return 0;
  try {
    const { rows } = await store.db
      .selectFrom("chaos_runs")
      .select((of) => of.fn.countAll().as("rows"))
      .executeTakeFirstOrThrow();
    return Number(rows);
  } finally {
    await store.close();
  }
}

it("a campaign that is killed goes on where it was, and finds what one that was left alone does", async () => {
  const folder = await tempDir();
  const url = `sqlite:${join(folder, "tessera.db")}`;
  const env = { TESSERA_STORE_URL: url };
  const all = ["chaos", "campaign", "--runs", "40", "--seed", "k", "--workers", "1"];
  const named = [...all, "--name", "weekly"];
  const killed = await startCli(named, { env });
  await waitUntil("some runs are kept", async () => (await keptRuns(url)) >= 5);
  killed.child.kill("SIGKILL");
  await killed.result;
  const before = await keptRuns(url);
  expect(before).toBeLessThan(40);
  const [one, other] = [join(folder, "one"), join(folder, "other")];
  const told = await runCli([...named, "--out", one], { env, limitMs });
  expect(told.stdout).toContain(`kept in the store as weekly; ${before} of these runs were there`);
  expect(await keptRuns(url)).toBe(40);
  await runCli([...all, "--out", other], { limitMs });
  const runsIn = async (out: string) =>
    JSON.parse(await readFile(join(out, "runs.json"), "utf8")) as object;
  expect(await runsIn(one)).toEqual(await runsIn(other));
}, 240_000);

it("a name that another seed has is refused, and nothing is run", async () => {
  const url = `sqlite:${join(await tempDir(), "tessera.db")}`;
  const store = await openStore({ url, clock });
  await openCampaignBook(store, { name: "weekly", seed: "k", nowMs: 1 });
  await store.close();
  const one = ["chaos", "campaign", "--runs", "1", "--workers", "1", "--name", "weekly"];
  const refused = await runCli([...one, "--seed", "other"], { env: { TESSERA_STORE_URL: url } });
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toContain("weekly was begun with the seed k, not other");
  expect(await keptRuns(url)).toBe(0);
}, 120_000);
