import { join } from "node:path";
import { expect, it } from "vitest";
import { askStore, createStatusPort } from "../../src/control/status-port.ts";
import { EventHub } from "../../src/platform/http/index.ts";
import { openStore } from "../../src/platform/store/index.ts";
import { VirtualClock } from "../../src/platform/time/index.ts";
import { createRealClock } from "../../src/platform/time/real-clock.ts";
import { tempDir } from "../support/temp-dir.ts";

const doctor = {
  view: () => ({ running: false, lastRun: null, findings: [] }) as never,
};

/** A real store that counts what it is asked, and the port on it. */
async function openCounted() {
  const url = `sqlite:${join(await tempDir(), "tessera.db")}`;
  const store = await openStore({ url, clock: createRealClock() });
  let asked = 0;
  const db = store.db.withPlugin({
    transformQuery: ({ node }) => {
      asked++;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const clock = new VirtualClock();
  const storeAnswer = askStore({ db }, clock);
  const hub = new EventHub({ clock });
  const port = createStatusPort({
    store,
    storeAnswer,
    doctor,
    hub,
    clock,
    isStopping: () => false,
  });
  return { store, clock, port, storeAnswer, asked: () => asked };
}

it("the store is asked once a second, whoever wants to know how it is", async () => {
  const { store, clock, port, storeAnswer, asked } = await openCounted();
  const many = Array.from({ length: 50 }, () => port.readiness());
  const [{ checks } = { checks: [] }] = await Promise.all(many);
  await Promise.all([port.status(), storeAnswer()]);
  expect(checks[0]).toMatchObject({ name: "store", ready: true });
  expect(asked()).toBe(1);
  await clock.advance(1001);
  await port.readiness();
  expect(asked()).toBe(2);
  await store.close();
});

it("a store that is gone is told within a second", async () => {
  const { store, clock, port } = await openCounted();
  expect((await port.readiness()).checks[0]).toMatchObject({ ready: true });
  await store.close();
  await clock.advance(1001);
  expect((await port.readiness()).checks[0]).toMatchObject({ ready: false });
});
