import { describe, expect, it } from "vitest";
import { xTexts, yTexts } from "../../../web/src/ui/plot-texts.ts";

describe("words at the axes of a plot", () => {
  it("are none where a tick has none, and a value everywhere else", () => {
    expect(yTexts([1, null, null, 10, 0])).toEqual(["1", "", "", "10", "0"]);
    expect(xTexts("bytes-log", [1024, null, 4096])).toEqual(["1 KiB", "", "4 KiB"]);
  });
});
