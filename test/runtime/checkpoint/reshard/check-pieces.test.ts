import { describe, expect, it } from "vitest";
import { pieceProblem } from "../../../../src/runtime/checkpoint/reshard/index.ts";

describe("pieceProblem", () => {
  const pieces = (...lengths: readonly number[]) => {
    const bytes = lengths.reduce((sum, length) => sum + length, 0);
    const box = [{ start: 0, step: 1, count: bytes / 4 }];
    const own = lengths.map((length) => ({ bytes: length, sha256: "" }));
    const chunk = { file: "a", key: "w@0", box, offset: 8, bytes, pieces: own };
    return pieceProblem({ dtype: "f32", chunks: [chunk] });
  };

  it("finds a piece that cuts an element, or that is too large to be held", () => {
    expect(pieces(8, 4)).toBe(undefined);
    expect(pieces(6, 6)).toMatch(/w@0 with 6 bytes cuts an element/);
    expect(pieces(64 * 2 ** 20)).toBe(undefined);
    expect(pieces(64 * 2 ** 20 + 4)).toMatch(/more than 64 MiB/);
  });
});
