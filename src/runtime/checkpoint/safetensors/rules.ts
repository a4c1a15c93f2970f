/**
 * Why a safetensors file is refused: the name of each rule with what it asks, in the order in which a
 * reader meets them. A refusal carries the name as `details.rule`.
 */
export const safetensorsRules = {
  "prefix-missing": "The file has at least the 8 bytes that say how long its header is.",
  "header-too-long": "The header has at most 100,000,000 bytes.",
  "header-truncated": "The header ends within the file.",
  "file-changed": "The file gives as many bytes as it said it has.",
  "utf-8": "The header is valid UTF-8.",
  json: "The header is one JSON object with nothing but white space around it.",
  "json-depth": "Objects and lists are at most 127 deep.",
  "json-string": "Strings have no control characters, no unknown escapes and no half surrogates.",
  "json-number": "Numbers are JSON numbers that a double can hold.",
  metadata: "`__metadata__` is null or an object whose values are strings.",
  "duplicate-key":
    "`__metadata__` and the fields of a tensor stand once; of a tensor named twice the last one counts, and must fill the file.",
  entry: "A tensor is an object, or a list of dtype, shape and data_offsets.",
  "missing-field": "A tensor has a dtype, a shape and data_offsets.",
  dtype: "A dtype is one of the 22 names of the format.",
  shape: "A shape is a list of whole numbers from 0 to 2^64 - 1.",
  "data-offsets": "data_offsets are two whole numbers from 0 to 2^64 - 1.",
  "offsets-reversed": "A tensor does not end before it begins.",
  "outside-file": "A tensor ends within the file.",
  overlap: "No two tensors share a byte.",
  hole: "Every tensor begins where the one before it ends, the first at 0.",
  "shape-overflow": "The number of a tensor's bits, multiplied up in order, stays below 2^64.",
  "partial-byte": "A tensor fills whole bytes.",
  "shape-bytes": "A tensor has exactly the bytes of its shape and dtype.",
  "trailing-bytes": "The file ends where the last tensor ends.",
  "unknown-tensor": "A tensor that is asked for is in the file.",
  name: "A tensor that is written has a name of whole characters, and not `__metadata__`.",
} as const;

export type SafetensorsRule = keyof typeof safetensorsRules;
