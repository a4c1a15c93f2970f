/** Boxes of tensors: what they share, which bytes of which files hold them, and how they get there. */
export { type Box, keyOfBox, shapeOfBox, sizeOfBox, wholeBox } from "./box.ts";
export { boxCopy, copyRange } from "./box-copy.ts";
export { pieceProblem } from "./check-pieces.ts";
export { ChunkIndex } from "./chunk-index.ts";
export { forEachPiece } from "./for-each-piece.ts";
export { type FolderToRead, OpenFiles, refused } from "./open-files.ts";
export { planAll, planRead, type ReadPlan, type WantedTensor } from "./plan-read.ts";
export { bitsIn, readPieces } from "./read-pieces.ts";
export { sha256 } from "./sha256.ts";
