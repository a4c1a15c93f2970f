import {
  type FunctionBuilder,
  type FunctionHandle,
  f32x4,
  type I32,
  i32,
  type Local,
  type ModuleBuilder,
  v128,
} from "../wasm/assembler/index.ts";
import { defineKernels } from "../wasm/define-kernels.ts";
import { canonicalNan, withCanonicalNan } from "../wasm/emit-canonical-nan.ts";
import { blocking } from "./blocking.ts";

const { tileRows, tileColumns, blockColumns, blockDepth } = blocking;
const vectors = tileColumns / 4;
const aStrideBytes = 4 * blockDepth;
const cStrideBytes = 4 * blockColumns;
const panelBytes = 4 * blockDepth * tileColumns;

/**
 * What a job calls, on areas laid out as in `blocking`: `clear` starts all sums at +0; for each
 * block of depths `pack` puts columns of b side by side as the tile reads them, and `block` adds the
 * products; `finish` gives every NaN the same bits, which hardware does not.
 */
export const matmulKernels = defineKernels("matmul", (m) => {
  m.function("clear", { address: "i32", sizeBytes: "i32" }, (f, { address, sizeBytes }) => {
    f.fillMemory({ to: address, byte: i32.const(0), sizeBytes });
  });
  addPack(m);
  addBlock(m, addTile(m));
  m.function("finish", { address: "i32", sizeBytes: "i32" }, (f, { address, sizeBytes }) => {
    const nan = f.let(canonicalNan());
    const done = f.local("i32");
    f.countTo(done, { limit: sizeBytes, step: 16 }, () => {
      const at = f.let(i32.add(address, done));
      const sum = f.let(v128.load(at));
      f.store(at, withCanonicalNan(sum, nan));
    });
  });
});

/** From rows of b to panels of `tileColumns` columns, each with its rows one after the other. */
function addPack(m: ModuleBuilder): void {
  const params = { from: "i32", to: "i32", depth: "i32", panels: "i32" } as const;
  m.function("pack", params, (f, { from, to, depth, panels }) => {
    const panel = f.local("i32");
    const row = f.local("i32");
    const source = f.local("i32");
    const target = f.local("i32");
    f.countTo(panel, { limit: panels }, () => {
      f.set(source, i32.add(from, i32.mul(panel, i32.const(4 * tileColumns))));
      f.set(target, i32.add(to, i32.mul(panel, i32.const(panelBytes))));
      f.set(row, i32.const(0));
      f.countTo(row, { limit: depth }, () => {
        for (let vector = 0; vector < vectors; vector++) {
          const offsetBytes = 16 * vector;
          f.store(target, v128.load(source, offsetBytes), { offsetBytes });
        }
        f.increase(source, 4 * blockColumns);
        f.increase(target, 4 * tileColumns);
      });
    });
  });
}

/** One tile of results, kept in registers while the depths, one or more, go by in their order. */
function addTile(m: ModuleBuilder): FunctionHandle {
  const params = { a: "i32", b: "i32", c: "i32", depth: "i32" } as const;
  return m.function("tile", params, (f, { a, b, c, depth }) => {
    const sums = Array.from({ length: tileRows }, (_, row) =>
      Array.from({ length: vectors }, (_, vector) =>
        f.let(v128.load(c, row * cStrideBytes + 16 * vector)),
      ),
    );
    const aEnd = f.let(i32.add(a, i32.shl(depth, i32.const(2))));
    f.loop((again) => {
      addProducts(f, { a, b, sums });
      f.increase(b, 4 * tileColumns);
      f.increase(a, 4);
      // The address counts along: one variable less in the loop that matters.
      f.branchIf(again, i32.ne(a, aEnd));
    });
    for (const [row, sumsOfRow] of sums.entries()) {
      for (const [vector, sum] of sumsOfRow.entries()) {
        f.store(c, sum, { offsetBytes: row * cStrideBytes + 16 * vector });
      }
    }
  });
}

/** Product and sum are rounded one after the other: a fused step would have other bits. */
function addProducts(
  f: FunctionBuilder,
  o: {
    readonly a: I32;
    readonly b: I32;
    readonly sums: readonly (readonly Local<"v128">[])[];
  },
): void {
  const columns = Array.from({ length: vectors }, (_, vector) =>
    f.let(v128.load(o.b, 16 * vector)),
  );
  for (const [row, sumsOfRow] of o.sums.entries()) {
    const factor = f.let(v128.load32Splat(o.a, row * aStrideBytes));
    for (const [vector, sum] of sumsOfRow.entries()) {
      const column = columns[vector] ?? factor;
      f.set(sum, f32x4.add(sum, f32x4.mul(factor, column)));
    }
  }
}

/** All tiles of a block: a panel of b stays in the first cache while the rows of a go by. */
function addBlock(m: ModuleBuilder, tile: FunctionHandle): void {
  const params = {
    a: "i32",
    b: "i32",
    c: "i32",
    depth: "i32",
    tiles: "i32",
    panels: "i32",
  } as const;
  m.function("block", params, (f, { a, b, c, depth, tiles, panels }) => {
    const panel = f.local("i32");
    const tileIndex = f.local("i32");
    const rowsOfA = f.local("i32");
    const rowsOfC = f.local("i32");
    f.countTo(panel, { limit: panels }, () => {
      f.set(rowsOfA, a);
      f.set(rowsOfC, i32.add(c, i32.mul(panel, i32.const(4 * tileColumns))));
      f.set(tileIndex, i32.const(0));
      f.countTo(tileIndex, { limit: tiles }, () => {
        f.do(tile, [rowsOfA, b, rowsOfC, depth]);
        f.increase(rowsOfA, tileRows * aStrideBytes);
        f.increase(rowsOfC, tileRows * cStrideBytes);
      });
      f.increase(b, panelBytes);
    });
  });
}
