import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type {
  ManifestChunk,
  ManifestPiece,
} from "../../../../src/runtime/checkpoint/manifest/index.ts";
import { planRead } from "../../../../src/runtime/checkpoint/reshard/index.ts";
import type { DimSlice } from "../../../../src/runtime/dist/layout/index.ts";

const all = (count: number): DimSlice => ({ start: 0, step: 1, count });

/** A chunk of u8, cut into pieces of so many bytes. */
function chunkOf(
  box: readonly DimSlice[],
  at: { file: string; offset: number; pieceBytes: number },
) {
  const bytes = box.reduce((product, { count }) => product * count, 1);
  const pieces: ManifestPiece[] = [];
  for (let done = 0; done < bytes; done += at.pieceBytes) {
    pieces.push({ bytes: Math.min(at.pieceBytes, bytes - done), sha256: "" });
  }
  const { file, offset } = at;
  return { file, key: `w@${offset}`, box, offset, bytes, pieces } satisfies ManifestChunk;
}

describe("planRead", () => {
  it("reads the pieces that hold a wanted element, and no other", () => {
    const rows = fc.integer({ min: 1, max: 9 });
    fc.assert(
      fc.property(rows, rows, rows, fc.nat(), fc.nat(), (height, width, pieceBytes, x, y) => {
        const chunk = chunkOf([all(height), all(width)], { file: "a", offset: 8, pieceBytes });
        const [row, column] = [x % height, y % width];
        const box = [
          { start: row, step: 2, count: Math.ceil((height - row) / 2) },
          { start: column, step: 3, count: Math.ceil((width - column) / 3) },
        ];
        const wanted = new Set<number>();
        for (let r = row; r < height; r += 2) {
          for (let c = column; c < width; c += 3) wanted.add(r * width + c);
        }
        const pieces = new Set([...wanted].map((place) => Math.floor(place / pieceBytes)));
        const tensor = { name: "w", dtype: "u8" as const, shape: [height, width], chunks: [chunk] };
        const plan = planRead([{ tensor, boxes: [box] }]);
        const read = plan.groups.flatMap((group) => group.pieces);
        expect(new Set(read.map(({ firstElement }) => firstElement / pieceBytes))).toEqual(pieces);
        const copied = read.flatMap(({ copies }) => copies.map(({ start, end }) => end - start));
        expect(copied.reduce((sum, count) => sum + count, 0)).toBe(wanted.size);
        expect(plan.wantedBytes).toBe(wanted.size);
        expect(plan.readBytes).toBe(read.reduce((sum, { piece }) => sum + piece.bytes, 0));
      }),
    );
  });

  it("reads neighbours in one call, also of different tensors, and nothing that lies between", () => {
    const tensor = (name: string, offset: number, file = "a") => ({
      name,
      dtype: "u8" as const,
      shape: [10],
      chunks: [chunkOf([all(10)], { file, offset, pieceBytes: 4 })],
    });
    const whole = (one: ReturnType<typeof tensor>) => ({ tensor: one, boxes: [[all(10)]] });
    const plan = planRead([whole(tensor("b", 18)), whole(tensor("a", 8)), whole(tensor("c", 40))]);
    expect(plan.groups.map(({ offset, bytes }) => [offset, bytes])).toEqual([
      [8, 20],
      [40, 10],
    ]);
    const part = { tensor: tensor("a", 8), boxes: [[{ start: 0, step: 9, count: 2 }]] };
    expect(planRead([part]).groups.map(({ offset, bytes }) => [offset, bytes])).toEqual([
      [8, 4],
      [16, 2],
    ]);
    const other = planRead([whole(tensor("a", 8)), whole(tensor("b", 18, "b"))]);
    expect(other.groups.map(({ file }) => file)).toEqual(["a", "b"]);
  });

  it("reads at most 16 MiB in one call, and a larger piece alone", () => {
    const mib = 1024 * 1024;
    const big = (pieceBytes: number) => {
      const chunk = chunkOf([all(40 * mib)], { file: "a", offset: 8, pieceBytes });
      const tensor = { name: "w", dtype: "u8" as const, shape: [40 * mib], chunks: [chunk] };
      return planRead([{ tensor, boxes: [[all(40 * mib)]] }]).groups.map(
        ({ bytes }) => bytes / mib,
      );
    };
    expect(big(4 * mib)).toEqual([16, 16, 8]);
    expect(big(20 * mib)).toEqual([20, 20]);
  });

  it("reads nothing for a box without elements, nor of a tensor without any", () => {
    const chunk = chunkOf([all(10)], { file: "a", offset: 8, pieceBytes: 4 });
    const tensor = { name: "w", dtype: "u8" as const, shape: [10], chunks: [chunk] };
    const empty = { start: 10, step: 1, count: 0 };
    expect(planRead([{ tensor, boxes: [[empty]] }]).groups).toEqual([]);
    const none = { name: "e", dtype: "f32" as const, shape: [0, 3], chunks: [] };
    expect(planRead([{ tensor: none, boxes: [[all(0), all(3)]] }]).readBytes).toBe(0);
  });
});
