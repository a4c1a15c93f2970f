import assert from "node:assert/strict";
import { bitsOf } from "../../../../runtime/tensor/dtype/index.ts";
import type { Tensor } from "../../../../runtime/tensor/index.ts";
import type { Mismatch } from "../engine/engine.ts";

/**
 * Compares every element of a matrix, bit by bit, with the tile it must repeat. The first rows may
 * lie further down in a larger matrix: `firstRow` says where.
 *
 * @returns undefined when all are right.
 */
export function compareWithTile(matrix: Tensor, tile: Tensor, firstRow = 0): Mismatch | undefined {
  const [rows = 0, columns = 0] = matrix.shape;
  const [tileRows = 0, tileColumns = 0] = tile.shape;
  assert(matrix.dtype === tile.dtype && tileRows > 0 && tileColumns > 0, "a tile of the format");
  const found = bitsOf(matrix.toRaw());
  const expected = bitsOf(tile.toRaw());
  // A double has two words.
  const words = matrix.dtype === "f64" ? 2 : 1;
  const rowWords = columns * words;
  const tileWords = tileColumns * words;
  let wrong = 0;
  let first: readonly [number, number] | undefined;
  for (let row = 0; row < rows; row++) {
    const from = ((firstRow + row) % tileRows) * tileWords;
    for (let at = 0, inTile = 0; at < rowWords; at++) {
      if (found[row * rowWords + at] !== expected[from + inTile]) {
        wrong++;
        first ??= [row, Math.floor(at / words)];
      }
      if (++inTile === tileWords) inTile = 0;
    }
  }
  if (first === undefined) return undefined;
  const [row, column] = first;
  const value = matrix.at(row, column);
  const right = tile.at((firstRow + row) % tileRows, column % tileColumns);
  return { wrong, first: `[${firstRow + row}, ${column}]: ${right} expected, ${value} found` };
}
