import { expect, test } from "vitest";
import type { ClusterSnapshot } from "../../../src/control/fleet/cluster-snapshot.ts";
import { SnapshotAnswers } from "../../../src/control/fleet/snapshot-answers.ts";

const snapshot = (name: string) => ({ name }) as ClusterSnapshot;
const east = snapshot("east");
const west = snapshot("west");

/** Answers that count how often each was made. */
function newAnswers(answersMax = 4) {
  const answers = new SnapshotAnswers<object>(answersMax);
  let made = 0;
  const get = (snapshots: readonly ClusterSnapshot[], key = "all") =>
    answers.get(snapshots, key, () => ({ made: ++made }));
  return { answers, get, made: () => made };
}

test("an answer from several clusters is given to all, as long as all of them are the same", async () => {
  const { get, made } = newAnswers();
  const first = await get([east, west]);
  expect(await get([east, west])).toBe(first);
  expect(made()).toBe(1);
  await get([east, snapshot("west")]);
  expect(made()).toBe(2);
});

test("an answer from one cluster is none from two, nor one to another question", async () => {
  const { get, made } = newAnswers();
  await get([east]);
  await get([east, west]);
  await get([east], "racks");
  await get([east]);
  expect(made()).toBe(3);
});

test("a failure is not kept, and of many answers only the newest are", async () => {
  const { answers, get, made } = newAnswers(2);
  const fails = () => Promise.reject(new Error("no store"));
  await expect(answers.get([east], "all", fails)).rejects.toThrow("no store");
  for (const key of ["a", "b", "c"]) await get([east], key);
  await get([east], "c");
  expect(made()).toBe(3);
  await get([east], "a");
  expect(made()).toBe(4);
});

test("nothing is kept where there is no snapshot", async () => {
  const { get, made } = newAnswers();
  await get([]);
  await get([]);
  expect(made()).toBe(2);
});
