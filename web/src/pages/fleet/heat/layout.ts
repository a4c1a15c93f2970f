/** The nodes of one rack as a block of the map. Lengths are cells. */
export interface RackBlock {
  /** Index in the racks of the model. */
  readonly rack: number;
  /** Where its nodes begin in the order of the map. */
  readonly first: number;
  readonly count: number;
  readonly columns: number;
  readonly rows: number;
  readonly x: number;
  /** Top of its cells; the label is above. */
  readonly y: number;
  readonly width: number;
}

export interface HeatLayout {
  readonly mode: HeatMode;
  /** Nodes in the order they are shown. */
  readonly order: Uint32Array;
  /** Where a node is in `order`; -1 when it is not shown. */
  readonly slotOf: Int32Array;
  readonly blocks: readonly RackBlock[];
  /** Index in `blocks` of each slot. */
  readonly blockOf: Uint32Array;
  readonly cellsPerNode: number;
  /** From one node to the next one on its right. */
  readonly pitch: number;
  readonly header: number;
  readonly width: number;
  readonly height: number;
  /** Device pixels a cell at which all of it is in sight, or the smallest that can be told apart. */
  readonly fitScale: number;
}

/** A cell for each check of a node, or one for the whole node. */
export type HeatMode = "checks" | "nodes";

export interface LayoutInput {
  readonly mode: HeatMode;
  readonly checks: number;
  readonly nodes: number;
  /** Shown nodes, those of a rack side by side. */
  readonly order: Uint32Array;
  readonly rackOf: readonly number[];
  /** Of the canvas, in device pixels. */
  readonly widthPx: number;
  readonly heightPx: number;
  readonly pixelRatio: number;
}

export const smallestScale = 2;
const largestFitPx = 26;
const labelPx = 14;
const gapPx = 8;

/** Chooses the largest cells with which everything is in sight, and places the racks in rows. */
export function layOut(input: LayoutInput): HeatLayout {
  const racks = racksIn(input);
  const largest = Math.max(smallestScale, Math.round(largestFitPx * input.pixelRatio));
  for (let scale = largest; scale > smallestScale; scale--) {
    const placed = place(input, racks, scale);
    const fits = placed.width * scale <= input.widthPx && placed.height * scale <= input.heightPx;
    if (fits) return placed;
  }
  return place(input, racks, smallestScale);
}

interface RackRun {
  readonly rack: number;
  readonly first: number;
  readonly count: number;
}

function racksIn({ order, rackOf }: LayoutInput): readonly RackRun[] {
  const runs: RackRun[] = [];
  let first = 0;
  for (let slot = 1; slot <= order.length; slot++) {
    const rack = rackOf[order[first] ?? 0] ?? 0;
    if (slot < order.length && rackOf[order[slot] ?? 0] === rack) continue;
    runs.push({ rack, first, count: slot - first });
    first = slot;
  }
  return runs;
}

function place(input: LayoutInput, racks: readonly RackRun[], scale: number): HeatLayout {
  const { mode, order, nodes, pixelRatio } = input;
  const cellsPerNode = mode === "checks" ? Math.max(1, input.checks) : 1;
  const pitch = cellsPerNode === 1 ? 1 : cellsPerNode + 1;
  const limit = Math.max(1, Math.floor(input.widthPx / scale));
  const { gap } = spaces(scale, pixelRatio, pitch);
  let x = 0;
  const unplaced = racks.map((run): Unplaced => {
    const { columns, rows } = shapeOf(run.count, pitch, limit);
    const width = columns * pitch - (pitch - cellsPerNode);
    const isFirst = x === 0 || x + width > limit;
    x = (isFirst ? 0 : x) + width + gap;
    return { ...run, columns, rows, width, isFirst };
  });
  const placed = inRows(unplaced, spaces(scale, pixelRatio, pitch));
  const slots = slotsOf(order, nodes, placed.blocks);
  return { mode, order, cellsPerNode, pitch, fitScale: scale, ...placed, ...slots };
}

/** The same racks in the same rows for larger cells: labels and gaps need not grow with them. */
export function rescaled(layout: HeatLayout, scale: number, pixelRatio: number): HeatLayout {
  const unplaced = layout.blocks.map((block) => ({ ...block, isFirst: block.x === 0 }));
  return { ...layout, ...inRows(unplaced, spaces(scale, pixelRatio, layout.pitch)) };
}

interface Unplaced extends Omit<RackBlock, "x" | "y"> {
  /** Of its row. */
  readonly isFirst: boolean;
}

interface Spaces {
  readonly header: number;
  /** Between racks side by side. */
  readonly gap: number;
  /** Between rows of racks. */
  readonly rowGap: number;
}

function spaces(scale: number, pixelRatio: number, pitch: number): Spaces {
  const rowGap = Math.ceil((gapPx * pixelRatio) / scale);
  return {
    header: Math.ceil((labelPx * pixelRatio) / scale),
    // Racks are further apart than the nodes within one.
    gap: Math.max(pitch === 1 ? 1 : 2, rowGap),
    rowGap,
  };
}

function inRows(racks: readonly Unplaced[], { header, gap, rowGap }: Spaces) {
  const blocks: RackBlock[] = [];
  let [x, y, high, width] = [0, 0, 0, 0];
  for (const { isFirst, ...rack } of racks) {
    if (isFirst && blocks.length > 0) [x, y, high] = [0, y + high + rowGap, 0];
    blocks.push({ ...rack, x, y: y + header });
    width = Math.max(width, x + rack.width);
    x += rack.width + gap;
    high = Math.max(high, header + rack.rows);
  }
  return { blocks, header, width, height: y + high };
}

/** About as wide as high, and never wider than the map. */
function shapeOf(count: number, pitch: number, limit: number) {
  const wanted = Math.round(Math.sqrt(count / pitch));
  const most = Math.max(1, Math.floor((limit + pitch - 1) / pitch));
  const rows = Math.ceil(count / Math.min(most, Math.max(1, wanted)));
  return { rows, columns: Math.ceil(count / rows) };
}

function slotsOf(order: Uint32Array, nodes: number, blocks: readonly RackBlock[]) {
  const slotOf = new Int32Array(nodes).fill(-1);
  const blockOf = new Uint32Array(order.length);
  for (const [index, block] of blocks.entries()) {
    for (let slot = block.first; slot < block.first + block.count; slot++) {
      blockOf[slot] = index;
      slotOf[order[slot] ?? 0] = slot;
    }
  }
  return { slotOf, blockOf };
}

/** The upper left cell of a shown node; nodes of a rack go down its columns. */
export function cellOf(
  layout: HeatLayout,
  slot: number,
): { readonly x: number; readonly y: number } {
  const block = layout.blocks[layout.blockOf[slot] ?? 0];
  if (block === undefined) return { x: 0, y: 0 };
  const within = slot - block.first;
  const column = Math.floor(within / block.rows);
  return { x: block.x + column * layout.pitch, y: block.y + (within - column * block.rows) };
}

/** The rack at a place of the map, or the nearest one. */
export function blockNear(layout: HeatLayout, x: number, y: number): number {
  let [best, least] = [0, Infinity];
  for (const [index, block] of layout.blocks.entries()) {
    const aside = Math.max(block.x - x, 0, x - (block.x + block.width));
    const above = Math.max(block.y - y, 0, y - (block.y + block.rows));
    const distance = aside * aside + above * above;
    if (distance < least) [best, least] = [index, distance];
  }
  return best;
}

export interface Spot {
  readonly slot: number;
  /** Undefined when a cell is a whole node. */
  readonly check: number | undefined;
}

/** What lies at a place of the map, given in cells. */
export function spotAt(layout: HeatLayout, x: number, y: number): Spot | undefined {
  const block = layout.blocks.find(
    (one) => x >= one.x && x < one.x + one.width && y >= one.y && y < one.y + one.rows,
  );
  if (block === undefined) return undefined;
  const column = Math.floor((x - block.x) / layout.pitch);
  const check = Math.floor(x - block.x - column * layout.pitch);
  const within = column * block.rows + Math.floor(y - block.y);
  if (check >= layout.cellsPerNode || within >= block.count) return undefined;
  return { slot: block.first + within, check: layout.mode === "checks" ? check : undefined };
}
