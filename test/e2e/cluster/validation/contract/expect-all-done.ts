import { expect } from "vitest";
import type { Rig } from "./rig.ts";

/** Every run came to the result that its job handed in, every job ran once, and no other did. */
export async function expectAllDone(rig: Rig): Promise<void> {
  const runs = await rig.runs();
  const lost = runs.filter(({ result }) => result?.origin !== "pod");
  expect(lost, "runs whose results were lost").toEqual([]);
  expect(runs.filter(({ result }) => result?.outcome !== "completed")).toEqual([]);
  const { begun, twice } = await rig.ledger();
  expect(twice, "runs that began more than once").toEqual([]);
  expect(begun.toSorted()).toEqual(runs.map(({ intent }) => intent.id).toSorted());
  for (const { results } of runs) expect(results).toBe(1);
}
