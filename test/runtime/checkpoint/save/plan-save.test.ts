import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pieceLengths, pieceLimit } from "../../../../src/runtime/checkpoint/save/piece-lengths.ts";
import { planSave, type TensorToPlan } from "../../../../src/runtime/checkpoint/save/plan-save.ts";

const mib = 2 ** 20;

/** A vector that is whole on some writers. */
function vector(name: string, count: number, ranks: readonly number[]): TensorToPlan {
  const boxes = [{ slices: [{ start: 0, step: 1, count }], ranks }];
  return { name, dtype: "f32", shape: [count], layout: null, boxes };
}

const some = fc
  .uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { maxLength: 20 })
  .chain((names) =>
    fc.tuple(
      ...names.toSorted().map((name) =>
        fc
          .tuple(
            fc.integer({ min: 1, max: 999 }),
            fc.uniqueArray(fc.nat(4), { minLength: 1, maxLength: 5 }),
          )
          .map(([count, ranks]) =>
            vector(
              name,
              count,
              ranks.toSorted((a, b) => a - b),
            ),
          ),
      ),
    ),
  );

describe("a plan", () => {
  test("gives every box to one of its holders, and every byte of a file to one box", () => {
    fc.assert(
      fc.property(some, fc.integer({ min: 64, max: 300 }), (tensors, pieceBytes) => {
        const plan = planSave({ tag: "t", tensors, writers: 5, pieceBytes });
        expect(plan).toEqual(planSave({ tag: "t", tensors, writers: 5, pieceBytes }));
        for (const [at, { chunks }] of plan.tensors.entries()) {
          for (const { owner, bytes, pieces } of chunks) {
            expect(tensors[at]?.boxes[0]?.ranks).toContain(owner);
            expect(pieces.reduce((sum, piece) => sum + piece, 0)).toBe(bytes);
            expect(Math.max(...pieces)).toBeLessThanOrEqual(pieceBytes);
          }
        }
        for (const { header, chunks, bytes, owner } of plan.files) {
          let end = header.length;
          for (const chunk of chunks) {
            expect(chunk).toMatchObject({ offset: end, owner });
            end += chunk.bytes;
          }
          expect(end).toBe(bytes);
        }
        const written = plan.files.flatMap(({ chunks }) => chunks.map(({ key }) => key));
        expect(written.toSorted()).toEqual(tensors.map(({ name }) => `${name}@0`).toSorted());
      }),
    );
  });

  test("spreads what everybody has: nobody writes more than the average and one box", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 40 }),
        (counts) => {
          const all = [0, 1, 2, 3];
          const tensors = counts.map((count, at) =>
            vector(`w${String(at).padStart(2, "0")}`, count, all),
          );
          const { files, dataBytes } = planSave({ tag: "t", tensors, writers: 4 });
          const loads = files.map(({ bytes, header }) => bytes - header.length);
          expect(Math.max(...loads)).toBeLessThanOrEqual(dataBytes / 4 + 4 * Math.max(...counts));
        },
      ),
    );
  });

  test("has the same hash for the same boxes, and another for others", () => {
    const hashOf = (tensors: readonly TensorToPlan[], writers: number) =>
      planSave({ tag: "t", tensors, writers }).planHash;
    const one = vector("w", 8, [0]);
    expect(hashOf([one], 1)).toBe(
      hashOf(
        [{ ...one, boxes: [{ ...(one.boxes[0] as never as { slices: [] }), ranks: [1] }] }],
        2,
      ),
    );
    expect(hashOf([one], 1)).not.toBe(hashOf([vector("w", 9, [0])], 1));
    expect(hashOf([one], 1)).not.toBe(hashOf([{ ...one, dtype: "i32" }], 1));
    expect(hashOf([one], 1)).not.toBe(hashOf([one, vector("x", 1, [0])], 1));
  });
});

describe("pieces", () => {
  test("are whole rows where a row fits, else whole elements", () => {
    expect(pieceLengths({ bytes: 100, rowBytes: 20, width: 4, limit: 64 })).toEqual([60, 40]);
    expect(pieceLengths({ bytes: 200, rowBytes: 100, width: 8, limit: 70 })).toEqual([
      64, 64, 64, 8,
    ]);
    expect(pieceLengths({ bytes: 8, rowBytes: 8, width: 8, limit: 64 })).toEqual([8]);
  });

  test("are of 4 MiB, and larger where there would be too many", () => {
    expect(pieceLimit({ tag: "t", dataBytes: 10 })).toBe(4 * mib);
    expect(pieceLimit({ tag: "t", dataBytes: 65_536 * 4 * mib + 1 })).toBe(5 * mib);
    expect(pieceLimit({ tag: "t", dataBytes: 2 ** 50 })).toBe(64 * mib);
    expect(pieceLimit({ tag: "t", dataBytes: 10, pieceBytes: 100 })).toBe(100);
  });

  test.each([63, 0, 65 * mib, 100.5, Number.NaN])("of %d bytes are refused", (pieceBytes) => {
    expect(() => pieceLimit({ tag: "t", dataBytes: 1, pieceBytes })).toThrow("pieceBytes is");
  });
});
