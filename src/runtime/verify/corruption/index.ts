export {
  type CorruptionEvent,
  type Corruptor,
  type CorruptorOptions,
  createCorruptor,
  drawPattern,
  fieldMix,
  gapOf,
  type PatternMix,
} from "./corruptor.ts";
export {
  applyChanges,
  changeTo,
  type ElementChange,
  formatBits,
  type Grid,
  nearest,
  nearestBf16,
  undoChanges,
  withBits,
} from "./grid.ts";
export {
  flipOneBit,
  type Pattern,
  type PatternName,
  patternNames,
  patternOf,
  patterns,
} from "./patterns.ts";
