import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chooseKept } from "../../../../src/runtime/checkpoint/save/choose-kept.ts";
import { prune, save } from "../../../../src/runtime/checkpoint/save/index.ts";
import type { Surveyed } from "../../../../src/runtime/checkpoint/save/survey.ts";
import { codeOf, hourMs, namesIn, place, root } from "./support.ts";

async function sixHours() {
  const { files, clock } = place();
  for (let hour = 0; hour < 6; hour++) {
    await save(`s${hour}`, { step: hour }, { root, files, clock });
    await clock.advance(hourMs);
  }
  return { root, files, clock };
}

describe("prune", () => {
  test("keeps the newest, and two that are older than the detection time", async () => {
    const at = await sixHours();
    // They are 6 to 1 hours old.
    const dry = await prune({ ...at, keep: 1, detectionMs: 3 * hourMs, dryRun: true });
    expect(dry.removed).toEqual(["s0", "s1"]);
    expect(dry.kept.map(({ name }) => name)).toEqual(["s5", "s4", "s3", "s2"]);
    expect(await namesIn(at.files)).toHaveLength(6);
    const done = await prune({ ...at, keep: 1, detectionMs: 3 * hourMs });
    expect(done).toEqual(dry);
    expect(await namesIn(at.files)).toEqual(["s2", "s3", "s4", "s5"]);
  });

  test("always has a way back that is little older than the detection time, over weeks", () => {
    const [dayMs, everyMs] = [24 * hourMs, hourMs / 6];
    let kept: readonly Surveyed[] = [];
    for (let nowMs = 0; nowMs < 14 * dayMs; nowMs += everyMs) {
      const name = `s${nowMs / everyMs}`;
      const facts = { tag: name, generation: 1, status: "good", parent: null } as const;
      const all = [...kept, { name, ...facts, createdMs: nowMs, modifiedMs: nowMs }];
      const { remove } = chooseKept(all, { keep: 3, detectionMs: dayMs, nowMs, justSaved: name });
      kept = all.filter((one) => !remove.includes(one.name));
      expect(kept.length).toBeLessThanOrEqual(3 + 2 + 5);
      if (nowMs < 3 * dayMs) continue;
      const ages = kept.map(({ createdMs }) => nowMs - createdMs).filter((age) => age >= dayMs);
      expect(ages).toHaveLength(2);
      expect(Math.min(...ages)).toBeLessThanOrEqual(1.25 * dayMs + everyMs);
    }
  });

  test("keeps the two oldest while none is older than the detection time", async () => {
    const at = await sixHours();
    const { removed } = await prune({ ...at, keep: 2, detectionMs: 100 * hourMs, dryRun: true });
    expect(removed).toEqual(["s2", "s3"]);
  });

  test("counts no damaged one, and leaves it for people to look at", async () => {
    const at = await sixHours();
    at.files.plant(`${root}/s5/manifest.json`, "{}\n");
    at.files.plant(`${root}/s4/stray.txt`, "of another save");
    const { kept, removed } = await prune({ ...at, keep: 1 });
    expect(kept.map(({ name }) => name)).toEqual(["s3", "s2"]);
    expect(removed).toEqual(["s0", "s1"]);
    expect(await namesIn(at.files)).toEqual(["s2", "s3", "s4", "s5"]);
  });

  test("leaves what is not ours, and an empty root", async () => {
    const at = place();
    expect(await prune(at)).toEqual({ removed: [], kept: [] });
    await at.files.ensureFolder(`${root}/notes`);
    at.files.plant(`${root}/notes/readme.txt`, "mine");
    await save("a", { step: 1 }, at);
    expect((await prune({ ...at, keep: 1 })).removed).toEqual([]);
    expect(await namesIn(at.files)).toEqual(["a", "notes"]);
  });

  test.each([{ keep: 0 }, { keep: 1.5 }, { detectionMs: -1 }, { detectionMs: Number.NaN }])(
    "refuses %j",
    async (retention) => {
      const at = place();
      expect(await codeOf(prune({ ...at, ...retention }))).toBe("E_CHECKPOINT_STATE");
      expect(await codeOf(save("a", {}, { ...at, retention }))).toBe("E_CHECKPOINT_STATE");
    },
  );
});

describe("what is kept", () => {
  const one = fc.record({
    tag: fc.constantFrom("a", "b", "c", "d"),
    generation: fc.integer({ min: 1, max: 3 }),
    status: fc.constantFrom("good", "uncommitted", "damaged", "foreign"),
    createdMs: fc.integer({ min: -50, max: 150 }),
    parent: fc.constantFrom(null, "a", "b~2", "c"),
  });
  const all = fc
    .uniqueArray(one, { selector: ({ tag, generation }) => `${tag}~${generation}`, maxLength: 12 })
    .map((list) =>
      list.map((entry): Surveyed => {
        const { tag, generation } = entry;
        const name = generation === 1 ? tag : `${tag}~${generation}`;
        return { ...entry, name, modifiedMs: entry.createdMs };
      }),
    );

  test("is never none, always has two old ones, and never loses the parent of a save", () => {
    fc.assert(
      fc.property(
        all,
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 120 }),
        (list, keep, detectionMs) => {
          const choice = chooseKept(list, { keep, detectionMs, nowMs: 100 });
          const good = list.filter(({ status }) => status === "good");
          const kept = new Set(choice.keep.map(({ name }) => name));
          expect(kept.size + choice.remove.length).toBe(good.length);
          if (good.length > 0) expect(kept.size).toBeGreaterThan(0);
          const latest = good.filter(
            (entry) => !good.some((x) => x.tag === entry.tag && x.generation > entry.generation),
          );
          expect(kept.size).toBeGreaterThanOrEqual(Math.min(keep, latest.length));
          const old = latest.filter(({ createdMs }) => 100 - createdMs >= detectionMs);
          const oldKept = old.filter(({ name }) => kept.has(name));
          expect(oldKept.length).toBeGreaterThanOrEqual(Math.min(2, old.length));
          expect(kept.size).toBeGreaterThanOrEqual(Math.min(2, latest.length));
          for (const { status, parent } of list) {
            if (status === "uncommitted" && parent !== null)
              expect(choice.remove).not.toContain(parent);
          }
          for (const name of choice.remove) {
            expect(list.find((entry) => entry.name === name)?.status).toBe("good");
          }
        },
      ),
    );
  });

  test("is what was just saved, even when the clock went back", () => {
    const entry = { tag: "a", generation: 1, status: "good", parent: null } as const;
    const list: Surveyed[] = [
      { ...entry, name: "a", createdMs: 50, modifiedMs: 50 },
      { ...entry, name: "b", tag: "b", createdMs: 90, modifiedMs: 90 },
      { ...entry, name: "c", tag: "c", createdMs: 80, modifiedMs: 80 },
      { ...entry, name: "d", tag: "d", createdMs: 70, modifiedMs: 70 },
    ];
    const about = { keep: 1, detectionMs: 0, nowMs: 50 };
    expect(chooseKept(list, about).remove).toContain("c");
    expect(chooseKept(list, { ...about, justSaved: "c" }).remove).not.toContain("c");
  });
});
