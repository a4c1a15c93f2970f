import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openStore } from "../../../src/platform/store/index.ts";
import { createRealClock } from "../../../src/platform/time/index.ts";
import { openHistory } from "../../../src/validation/history/index.ts";
import { mountSmallDisk, smallDiskMissing } from "../../support/small-disk.ts";
import { fromPod, intentOf, resultOf } from "./support/samples.ts";

const noDisk = smallDiskMissing();
const reason = noDisk === undefined ? "" : ` (skipped: ${noDisk})`;
describe.skipIf(noDisk !== undefined)(`a full disk${reason}`, () => {
  test("refuses the results that met it with the reason, keeps their runs open, and is got over", async () => {
    const folder = mountSmallDisk("size=4m");
    const filler = join(folder, "filler");
    await writeFile(filler, Buffer.alloc(1024 * 1024));
    const store = await openStore({ url: `sqlite:${folder}/t.db`, clock: createRealClock() });
    onTestFinished(() => store.close());
    const history = openHistory(store);
    const intents = Array.from({ length: 400 }, (_, index) => intentOf({ node: `n${index}` }));
    await history.planRuns({ cluster: "east", fence: 1, inFlightMax: intents.length }, intents);
    const samples = Array.from({ length: 1500 }, (_, index) => index + 0.125);
    const figures = { busbw: { samples, higherIsBetter: true } };
    const record = (intent: (typeof intents)[number]) =>
      history.recordResult(resultOf(intent, { figures }), fromPod());
    const kept: string[] = [];
    const failures: unknown[] = [];
    for (const intent of intents) {
      await record(intent).then(
        () => kept.push(intent.id),
        (error: unknown) => failures.push(error),
      );
      if (failures.length > 2) break;
    }
    expect(failures[0]).toMatchObject({
      code: "E_STORE_UNUSABLE",
      message: expect.stringContaining("the disk is full") as string,
    });
    expect(kept.length).toBeGreaterThan(0);
    const openIds = async () => (await history.openRuns("east")).map(({ intent }) => intent.id);
    const left = intents.map(({ id }) => id).filter((id) => !kept.includes(id));
    expect(await openIds()).toEqual(left);
    await rm(filler);
    const [next] = intents.filter(({ id }) => left.includes(id));
    if (next === undefined) throw new Error("some are left");
    expect(await record(next)).toBe("recorded");
    expect(await openIds()).toEqual(left.slice(1));
    expect(await history.unjudgedRuns("east", 1000)).toHaveLength(kept.length + 1);
  });
});
