import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Store } from "../../../src/platform/store/index.ts";
import { openStore } from "../../../src/platform/store/index.ts";
import { createRealClock } from "../../../src/platform/time/index.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { startPlane } from "../support.ts";
import { settings } from "./support.ts";

let folder: string;
let program: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tessera-recovery-"));
  program = join(folder, "never-ends.mjs");
  await writeFile(program, "setInterval(() => {}, 1e6);\n");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const clock = createRealClock();
const long = { ago: 600_000 };

/** What a process leaves in the books that is killed while it breaks pods. */
function left(id: string) {
  const startedAtMs = clock.nowMs() - long.ago;
  return {
    id,
    title: id,
    world: "kubernetes",
    seed: "0",
    state: "running",
    outcome: null,
    reason: null,
    faults: "[]",
    started_by: "somebody",
    started_at: startedAtMs,
    ended_at: null,
    holder: "another/1",
    seen_at: startedAtMs,
    phase: null,
    text: "title: pods",
    plan: "{}",
    detail: null,
    report: null,
    reproducer: null,
  };
}

async function rowOf({ db }: Store, id: string) {
  return db
    .selectFrom("experiments")
    .select(["state", "holder", "seen_at"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
}

/** A store with what was left in it, and a control plane on it that cannot take anything back. */
async function planeThatRecovers(name: string) {
  const dataDir = join(folder, name);
  const store = await openStore({ url: `sqlite:${join(dataDir, "tessera.db")}`, clock });
  await store.db
    .insertInto("experiments")
    .values([left("x1"), left("x2")])
    .execute();
  await store.close();
  return startPlane({
    dataDir,
    command: [process.execPath, program],
    settings: { experiments: { ...settings, worlds: ["kubernetes"] } },
  });
}

describe("a recovery that takes long", () => {
  test("keeps nobody from hearing that this process lives", async () => {
    await using plane = await planeThatRecovers("lives");
    const { store } = plane.plane;
    await waitUntil(
      "it is taken over",
      async () => (await rowOf(store, "x1")).holder !== "another/1",
    );
    const { seen_at: takenMs } = await rowOf(store, "x1");
    const isHeard = async () => (await rowOf(store, "x1")).seen_at > takenMs;
    await waitUntil("it is heard of again", isHeard);
    expect((await rowOf(store, "x1")).state).toBe("running");
  });

  test("ends with the server, and the rest is left to whoever comes next", async () => {
    const plane = await planeThatRecovers("stops");
    const { store } = plane.plane;
    await waitUntil(
      "it is taken over",
      async () => (await rowOf(store, "x1")).holder !== "another/1",
    );
    const startedMs = clock.monotonicMs();
    await plane.plane.stop({ deadlineMs: 0 });
    expect(clock.monotonicMs() - startedMs).toBeLessThan(20_000);
    const url = `sqlite:${join(plane.dataDir, "tessera.db")}`;
    const again = await openStore({ url, clock });
    expect(await rowOf(again, "x1")).toMatchObject({ state: "running" });
    expect(await rowOf(again, "x2")).toMatchObject({ state: "running", holder: "another/1" });
    await again.close();
  });
});
