import { describe, expect, it } from "vitest";
import { decodeCursor, encodeCursor } from "../../../src/control/fleet/cursor.ts";

const route = "GET /api/v1/anything";

describe("a cursor", () => {
  it("stands for what it was made of, and none for the first page", () => {
    expect(decodeCursor(encodeCursor(["1", "gpu-\u{1F9E9}"]), route)).toEqual([
      "1",
      "gpu-\u{1F9E9}",
    ]);
    expect(decodeCursor(undefined, route)).toBeUndefined();
  });

  it.each([
    ["holds NUL at its end", encodeCursor(["1", "\u0000"])],
    ["holds NUL at its beginning", encodeCursor(["a\u0000b", "1"])],
    ["has too few parts", encodeCursor(["1"])],
    ["has a number in it", encodeCursor(["1", 2])],
    ["is no JSON", "abc"],
  ])("that %s was given by no answer", (_, cursor) => {
    expect(() => decodeCursor(cursor, route)).toThrow("`cursor` is not one that an answer gave");
  });
});
