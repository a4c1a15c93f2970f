import { describe, expect, it, onTestFinished } from "vitest";
import {
  type CampaignBook,
  type CampaignPart,
  type CampaignRun,
  campaignResult,
  checkKnown,
  openCampaignBook,
  RunKeeper,
  runCampaign,
} from "../../../src/chaos/campaign/index.ts";
import { campaignsMax } from "../../../src/chaos/campaign/store/index.ts";
import { openStore, type Store } from "../../../src/platform/store/index.ts";
import { createRealClock } from "../../../src/platform/time/index.ts";
import { VirtualClock } from "../../../src/platform/time/virtual-clock.ts";
import { describeOnEngines, type EngineUnderTest } from "../../platform/store/support/engines.ts";
import { fakeTrial, honest } from "./lib/fake-trial.ts";
import { inline, never, runPart } from "./lib/run-part.ts";

const about = { name: "weekly", seed: "t", nowMs: 1 };

async function openedStore(engine: EngineUnderTest): Promise<Store> {
  const store = await openStore({ url: await engine.newUrl(), clock: createRealClock() });
  onTestFinished(() => store.close());
  return store;
}

function slice(part: CampaignPart, from: number, to: number): CampaignPart {
  return { ...part, runs: part.runs.slice(from, to) };
}

describeOnEngines((engine) => {
  it("gives back what was put in, in order, and a range that is put in twice once", async () => {
    const store = await openedStore(engine);
    const whole = await runPart([0, 1100], [inline(honest)]);
    const book = await openCampaignBook(store, about);
    await book.put(slice(whole, 600, 1100));
    await book.put(slice(whole, 0, 700));
    await book.put(slice(whole, 600, 1100));
    const read = await (await openCampaignBook(store, about)).read();
    expect(read).toEqual({ runs: whole.runs, canaries: whole.canaries });
    const { rows } = await store.db
      .selectFrom("chaos_runs")
      .select((of) => of.fn.countAll().as("rows"))
      .executeTakeFirstOrThrow();
    expect(Number(rows)).toBe(1100);
  });

  it("refuses a run that came out otherwise, and writes nothing of what came with it", async () => {
    const book = await openCampaignBook(await openedStore(engine), about);
    const { runs, canaries } = await runPart([0, 3], [inline(honest)]);
    await book.put({ runs: runs.slice(0, 2), canaries: [] });
    const other = runs.map((run) => (run.index === 1 ? { ...run, traceHash: "other" } : run));
    await expect(book.put({ runs: other, canaries })).rejects.toThrow(/run 1 came out otherwise/);
    expect(await book.read()).toEqual({ runs: runs.slice(0, 2), canaries: [] });
  });

  it("refuses to go on with another seed, and knows campaigns of other names apart", async () => {
    const store = await openedStore(engine);
    const book = await openCampaignBook(store, about);
    await book.put(await runPart([0, 2], [inline(honest)]));
    await expect(openCampaignBook(store, { ...about, seed: "u" })).rejects.toThrow(
      /weekly was begun with the seed t/,
    );
    const other = await openCampaignBook(store, { ...about, name: "daily", seed: "u" });
    expect(await other.read()).toEqual({ runs: [], canaries: [] });
  });

  it("keeps the outcome and the coverage of the last end", async () => {
    const store = await openedStore(engine);
    const book = await openCampaignBook(store, about);
    const part = await runPart([0, 40], [inline(honest)]);
    await book.conclude(campaignResult(slice(part, 0, 20)), 5);
    const result = campaignResult(part);
    await book.conclude(result, 6);
    const rows = await store.db.selectFrom("chaos_results").selectAll().execute();
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ at: 6, outcome: result.outcome, runs: 40 });
    expect(JSON.parse(rows[0]?.coverage ?? "")).toEqual(result.coverage);
  });

  it("makes place for a new campaign by forgetting the one begun first, with its runs", async () => {
    const store = await openedStore(engine);
    const first = await openCampaignBook(store, { ...about, name: "c-0" });
    await first.put(await runPart([0, 2], [inline(honest)]));
    for (let at = 1; at < campaignsMax; at++) {
      await openCampaignBook(store, { ...about, name: `c-${at}` });
    }
    expect((await first.read()).runs).toHaveLength(2);
    await openCampaignBook(store, { ...about, name: "one more" });
    expect(await first.read()).toEqual({ runs: [], canaries: [] });
    expect(await store.db.selectFrom("chaos_campaigns").select("seq").execute()).toHaveLength(
      campaignsMax,
    );
  });
});

/** A book in memory that can be slow, and can fail. */
function memoryBook(options: { readonly failsAt?: number } = {}) {
  const writes: number[] = [];
  const kept: CampaignRun[] = [];
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const book: CampaignBook = {
    name: "m",
    seed: "t",
    read: async () => ({ runs: kept, canaries: [] }),
    put: async ({ runs }) => {
      await gate;
      if (writes.length === options.failsAt) throw new Error("the disk is full");
      writes.push(runs.length);
      kept.push(...runs);
    },
    conclude: async () => {},
  };
  return { book, kept, writes, release };
}

describe("a keeper of runs", () => {
  it("lets runs that come during a write share the next one, and has all of them when flushed", async () => {
    const { runs } = await runPart([0, 50], [inline(honest)]);
    const { book, kept, writes, release } = memoryBook();
    const keeper = new RunKeeper(book);
    for (const run of runs) await keeper.addRun(run);
    release();
    await keeper.flush();
    expect(writes).toEqual([1, 49]);
    expect(kept).toEqual(runs);
  });

  it("tells whoever brings the next run that a write failed", async () => {
    const { runs } = await runPart([0, 3], [inline(honest)]);
    const { book, release } = memoryBook({ failsAt: 0 });
    release();
    const keeper = new RunKeeper(book);
    const [one, two] = runs as [CampaignRun, CampaignRun];
    await keeper.addRun(one);
    await expect(keeper.flush()).rejects.toThrow("the disk is full");
    await expect(keeper.addRun(two)).rejects.toThrow("the disk is full");
  });
});

describe("a campaign that goes on", () => {
  const options = { seed: "t", clock: new VirtualClock(), signal: never };

  it("makes only what is missing, and comes to the same as one that was never interrupted", async () => {
    const whole = await runPart([0, 20], [inline(honest)]);
    const known = {
      runs: whole.runs.filter(({ index }) => index < 9 || index === 12),
      canaries: [],
    };
    const made: number[] = [];
    const part = await runCampaign({
      ...options,
      from: 0,
      to: 20,
      workers: [inline(honest), inline(honest)],
      known,
      onRun: async ({ index }) => {
        made.push(index);
      },
    });
    expect(part).toEqual(whole);
    expect(made).toEqual([9, 10, 11, 13, 14, 15, 16, 17, 18, 19]);
  });

  it("makes nothing where all is known, and does not count what is outside its range", async () => {
    const whole = await runPart([0, 10], [inline(honest)]);
    const nobody = fakeTrial(() => {
      throw new Error("nothing is to be made");
    });
    const part = await runCampaign({
      ...options,
      from: 2,
      to: 6,
      workers: [inline(nobody)],
      known: whole,
    });
    expect(part).toEqual({ ...whole, runs: whole.runs.slice(2, 6) });
  });

  it("notices that another program made what is known", async () => {
    const { runs } = await runPart([0, 3], [inline(honest)]);
    await expect(checkKnown("t", runs, inline(honest))).resolves.toBeUndefined();
    await expect(checkKnown("t", [], inline(honest))).resolves.toBeUndefined();
    const other = fakeTrial(() => ({ outcome: "pass", traceHash: "1" }));
    await expect(checkKnown("t", runs, inline(other))).rejects.toThrow(/run 2 came out otherwise/);
  });
});
