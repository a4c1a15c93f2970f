import { expect, test } from "vitest";
import { LiveInjections } from "../../../src/control/experiments/live-injections.ts";

const injected = {
  id: "freeze",
  fault: "freeze_worker",
  target: "rank 1",
  injectedS: 1,
  effectS: 2,
  effect: "it stands still",
  revertedS: null,
};

function kept() {
  const written: (number | null)[][] = [];
  const store = { isGone: false };
  const course = new LiveInjections(async (injections) => {
    if (store.isGone) throw new Error("the store is gone");
    written.push(injections.map(({ revertedS }) => revertedS));
  });
  return { course, store, written };
}

test("what has come to be known of a fault is written once", async () => {
  const { course, written } = kept();
  course.add(injected);
  await course.keep();
  await course.keep();
  expect(written).toEqual([[null]]);
});

test("that a fault was undone is written later when the store did not take it", async () => {
  const { course, store, written } = kept();
  course.add(injected);
  await course.keep();
  course.add({ ...injected, revertedS: 5 });
  store.isGone = true;
  await expect(course.keep()).rejects.toThrow("the store is gone");
  store.isGone = false;
  await course.keep();
  expect(written).toEqual([[null], [5]]);
});
