import { describe, expect, test } from "vitest";
import { save, saveAsync } from "../../../../src/runtime/checkpoint/save/index.ts";
import { waitingSavesMax } from "../../../../src/runtime/checkpoint/save/save-queue.ts";
import type { State } from "../../../../src/runtime/checkpoint/state.ts";
import { PowerLoss, provenIn } from "../../../support/checkpoint/index.ts";
import { tensor } from "./runtime.ts";
import { codeOf, manifestIn, namesIn, place, root } from "./support.ts";

function stateOf(step: number): State {
  return { w: tensor.full([40], step), v: tensor.full([5, 5], step, { dtype: "f64" }), step };
}

describe("a disk that fails", () => {
  test("at any change: the save says which file, nothing is left, the old one holds", async () => {
    const whole = place();
    await save("a", stateOf(1), whole);
    const before = whole.files.operations;
    await save("a", stateOf(2), { ...whole, pieceBytes: 64 });
    const changes = whole.files.operations - before;
    let failed = 0;
    for (let at = 1; at <= changes; at++) {
      const { files, clock } = place();
      await save("a", stateOf(1), { root, files, clock });
      files.failure = { at: files.operations + at, code: "EIO" };
      const code = await codeOf(save("a", stateOf(2), { root, files, clock, pieceBytes: 64 }));
      const steps = (await provenIn(files, root)).map(({ step }) => step);
      if (code === "resolved") {
        // The COMMIT was written; only the older one could not be removed.
        expect(steps).toContain(2);
        continue;
      }
      failed++;
      expect(code).toBe("E_CHECKPOINT_WRITE");
      expect(steps).toEqual([1]);
      expect((await namesIn(files)).filter((name) => name !== "a")).toEqual([]);
      expect(await codeOf(save("a", stateOf(3), { root, files, clock }))).toBe("resolved");
    }
    expect(failed).toBeGreaterThan(12);
  });

  test("that is full at any number of bytes: as long as there is room, the next save works", async () => {
    const measured = place();
    await save("a", stateOf(2), { ...measured, pieceBytes: 64 });
    const written = (await measured.files.list(`${root}/a`)).reduce(
      (sum, { bytes }) => sum + bytes,
      0,
    );
    let refusals = 0;
    for (let free = 0; free < written; free += free % 64 === 0 ? 1 : 61) {
      const { files, clock } = place();
      await save("old", stateOf(1), { root, files, clock });
      files.freeBytes = free;
      const refused = save("a", stateOf(2), { root, files, clock, pieceBytes: 64 });
      await expect(refused).rejects.toMatchObject({ code: "E_CHECKPOINT_WRITE" });
      await expect(refused).rejects.toThrow(/no space is left on the device/);
      expect(await namesIn(files)).toEqual(["old"]);
      refusals++;
      files.freeBytes = written;
      await save("a", stateOf(2), { root, files, clock, pieceBytes: 64 });
    }
    expect(refusals).toBeGreaterThan(50);
  });

  test("names file and cause", async () => {
    const { files, clock } = place();
    files.failure = { at: 4, code: "EROFS" };
    const refused = save("a", stateOf(1), { root, files, clock });
    await expect(refused).rejects.toThrow(
      "The checkpoint a could not be written to /data/checkpoints: shard-00000-of-00001.safetensors: the file system is read-only.",
    );
  });
});

test("a save that is aborted leaves nothing, and rejects with the reason", async () => {
  const { files, clock } = place();
  const stop = new AbortController();
  const pending = saveAsync("a", stateOf(1), { root, files, clock, signal: stop.signal });
  stop.abort(new Error("enough"));
  await expect(pending.done).rejects.toThrow("enough");
  expect(await namesIn(files)).toEqual([]);
});

describe("saves in the background", () => {
  test("hold the state of the moment they were asked for", async () => {
    const { files, clock } = place();
    const state = { data: { cursor: 1, seen: [1] }, w: tensor.full([3], 1) };
    const pending = saveAsync("a", state, { root, files, clock });
    await pending.snapshotted;
    state.data.cursor = 2;
    state.data.seen.push(2);
    state.w = tensor.full([3], 2);
    await pending.done;
    expect(manifestIn(files, "a").values).toMatchObject({ data: { cursor: 1, seen: [1] } });
    const [proven] = await provenIn(files, root);
    expect(proven?.digests.get("w")).toBe(tensor.full([3], 1).digest());
  });

  test("go one after the other, and too many are refused", async () => {
    const { files, clock } = place();
    const all = Array.from({ length: waitingSavesMax + 3 }, (_, at) =>
      save(`s${at}`, stateOf(at), { root, files, clock }),
    );
    const ends = await Promise.allSettled(all);
    const refused = ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
    expect(refused).toHaveLength(2);
    expect(refused[0]).toMatchObject({ code: "E_CHECKPOINT_WRITE" });
    expect(await namesIn(files)).toHaveLength(waitingSavesMax + 1);
    const folders = files.log.filter((line) => line.startsWith("makeFolder"));
    const commits = files.log.filter(
      (line) => line.startsWith("rename") && line.includes("COMMIT"),
    );
    const order = files.log.filter((line) => folders.includes(line) || commits.includes(line));
    // Folder, COMMIT, folder, COMMIT: no two at the same time.
    expect(order.map((line) => line.split(" ")[0])).toEqual(
      folders.flatMap(() => ["makeFolder", "rename"]),
    );
    // There is room again afterwards.
    await save("later", stateOf(1), { root, files, clock });
  });

  test("refuse at once what cannot be saved", async () => {
    const { files, clock } = place();
    const pending = Array.from({ length: waitingSavesMax + 1 }, (_, at) =>
      saveAsync(`s${at}`, {}, { root, files, clock }),
    );
    expect(() => saveAsync("a", {}, { root, files, clock })).toThrow("4 saves wait");
    await Promise.all(pending.map(({ done }) => done));
    expect(() => saveAsync("a", { f: (() => 1) as never }, { root, files, clock })).toThrow(
      "f is function, which cannot be saved",
    );
  });
});

test("leftovers are swept when they are an hour old, and not before", async () => {
  const { files, clock } = place();
  await save("a", stateOf(1), { root, files, clock });
  const died = files.afterKill();
  died.crashAfter = 5;
  await expect(save("b", stateOf(2), { root, files: died, clock })).rejects.toMatchObject({
    cause: expect.any(PowerLoss),
  });
  const after = died.afterKill();
  const isTemp = (name: string) => name.startsWith(".tmp-b-");
  await save("c", stateOf(3), { root, files: after, clock });
  expect((await namesIn(after)).filter(isTemp)).toHaveLength(1);
  await clock.advance(3_600_000);
  await save("d", stateOf(4), { root, files: after, clock });
  expect(await namesIn(after)).toEqual(["a", "c", "d"]);
});
