/** Boxes of tensors: what they share, which bytes of which files hold them, and how they get there. */
export { type Box, type CommonBox, keyOfBox, shapeOfBox, sizeOfBox, wholeBox } from "./box.ts";
export { boxCopy, copyRange } from "./box-copy.ts";
export { pieceProblem } from "./check-pieces.ts";
export { ChunkIndex, type Meeting } from "./chunk-index.ts";
export { wrongPiece } from "./for-each-piece.ts";
export { inBounds } from "./in-bounds.ts";
export { type FolderToRead, OpenFiles, refused } from "./open-files.ts";
export { PieceHashes } from "./piece-hashes.ts";
export { planRead, type ReadPlan, type WantedTensor } from "./plan-read.ts";
export { bitsIn, readPieces } from "./read-pieces.ts";
export { sha256 } from "./sha256.ts";
