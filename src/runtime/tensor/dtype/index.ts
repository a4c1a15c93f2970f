export { highHalf, littleEndian } from "./byte-order.ts";
export { decodeInto, encodeInto, encodeSaturatedInto, roundTo } from "./codec.ts";
export { type DType, type DTypeInfo, dtypeInfo, dtypes, type RawArray } from "./dtype.ts";
export { parseDType } from "./parse-dtype.ts";
export {
  allocateRaw,
  bitsOf,
  bytesOf,
  type RawPlace,
  rawOver,
  storesDType,
} from "./raw-array.ts";
