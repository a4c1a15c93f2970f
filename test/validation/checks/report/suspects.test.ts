import { describe, expect, test } from "vitest";
import {
  partsIn,
  placesIn,
  suspectItems,
} from "../../../../src/validation/checks/report/suspects.ts";
import { gemmFact, voteFact } from "./results.ts";

const names = (sentence: string) => partsIn(sentence).map(({ name }) => name);

describe("what a hard fact names", () => {
  test("is the GPU, its board, and the place in the answer", () => {
    expect(partsIn(gemmFact)).toEqual([{ name: "GPU 2", board: "GPU-2a" }]);
    expect([...placesIn(gemmFact)]).toEqual([
      ["row", 12],
      ["column", 771],
    ]);
    const row = "8127 of 8192 elements of row 1281 are off; element 0 is 1.5, and 1.6 in f64";
    expect([...placesIn(row)]).toEqual([
      ["row", 1281],
      ["element", 0],
    ]);
  });

  test("is the odd one of a vote, and both sides where no majority decides", () => {
    expect(names(voteFact)).toEqual(["GPU 2"]);
    expect(
      names("x: gpu 0 (A) against gpu 1 (B): the bits differ and no majority says which are right"),
    ).toEqual(["GPU 0", "GPU 1"]);
    expect(
      names("x: the bits of gpu 1 differ from those of gpu 0, and are wrong by themselves"),
    ).toEqual(["GPU 1"]);
  });

  test("is a rank or a process where there is no GPU", () => {
    expect(names("rank 3: [0, 1]: 4 expected, 5 found")).toEqual(["rank 3"]);
    expect(names("process 1: gemm-f32: wrong")).toEqual(["process 1"]);
  });

  test("is nothing where a sentence names nothing", () => {
    expect(partsIn("a link is down")).toEqual([]);
    expect([...placesIn("a link is down, 3 of 8 GPUs answer")]).toEqual([]);
    expect(suspectItems(["a link is down"])).toEqual([]);
  });
});

test("the most named stands first, with its places", () => {
  const items = suspectItems(["gpu 1: XID 48", gemmFact, voteFact]);
  expect(items.map(({ name, reason }) => [name, reason])).toEqual([
    ["GPU 2 (GPU-2a)", "Named by 2 of 3 hard facts."],
    ["GPU 1", "Named by 1 of 3 hard facts."],
  ]);
  expect(items[0]?.facts).toMatchObject([{ name: "place 1", value: "row 12, column 771" }]);
});
