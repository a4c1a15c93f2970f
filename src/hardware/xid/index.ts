export {
  type CudaCodes,
  cudaCodesOf,
  type DcgmResult,
  type GpudAction,
  type GpudEventType,
  type GpudReaction,
  injectableXid,
  type NvSentinelAction,
  sxidReaction,
  touchesMachine,
  wordsFor,
  type XidEntry,
  xidCatalogue,
  xidEntry,
  xidSources,
} from "./catalogue/index.ts";
export { disagreement } from "./disagreement.ts";
export { correlationIdIn, formatXidLine, type XidLineParts } from "./format-line.ts";
export { LineParser, type LineParserOptions, type ParsedLogLine } from "./input/index.ts";
export {
  defaultDriver,
  type ParsedLine,
  type ParseOptions,
  parseKernelLine,
} from "./parse-kernel-line.ts";
export { pciOf } from "./pci-address.ts";
export { sequenceLines, type XidSequence, xidSequences } from "./sequences.ts";
