import { expect, it } from "vitest";
import type { Sign } from "../../../src/validation/clusters/cluster.ts";
import { SignQueue } from "../../../src/validation/clusters/sign-queue.ts";

const sign = (atMs: number): Sign => ({ kind: "repair", atMs, node: "g0" });

it("hands out signs once, oldest first", () => {
  const queue = new SignQueue();
  queue.add([sign(2)]);
  queue.add([sign(1)]);
  expect(queue.take()).toEqual([sign(1), sign(2)]);
  expect(queue.take()).toEqual([]);
});

it("takes as many as there are and keeps the last ten thousand", () => {
  const queue = new SignQueue();
  queue.add([sign(0)]);
  queue.add(Array.from({ length: 300_000 }, (_, at) => sign(at + 1)));
  const taken = queue.take();
  expect(taken).toHaveLength(10_000);
  expect(taken.at(-1)).toEqual(sign(300_000));
});
