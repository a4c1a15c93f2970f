import { mark } from "../json/index.ts";
import { isSafetensorsDType } from "./dtype-names.ts";
import type { SafetensorsEntry } from "./header.ts";
import type { HeaderScanner } from "./header-scanner.ts";
import { showName } from "./refusal.ts";
import type { SafetensorsDType } from "./safetensors-dtype.ts";

type Draft = { -readonly [Field in keyof SafetensorsEntry]?: SafetensorsEntry[Field] | undefined };

/**
 * The entry that begins here: an object, or its three values in a list, as the reference reads it. Its
 * offsets are as the header has them, whatever the file; those above 2^53, which no file has, are rounded.
 */
export function parseEntry(scanner: HeaderScanner, name: string): SafetensorsEntry {
  const byte = scanner.peek();
  if (byte === mark.openList) return parseList(scanner, name);
  if (byte !== mark.openObject) scanner.fail("entry", "a tensor is no object");
  const draft: Draft = { name };
  scanner.enter();
  for (let isFirst = true; scanner.more(mark.closeObject, isFirst); isFirst = false) {
    const key = scanner.key();
    if (key === "dtype") {
      once(scanner, key, draft.dtype);
      draft.dtype = parseDType(scanner);
    } else if (key === "shape") {
      once(scanner, key, draft.shape);
      parseShape(scanner, draft);
    } else if (key === "data_offsets") {
      once(scanner, key, draft.begin);
      parseOffsets(scanner, draft);
    } else {
      scanner.skip();
    }
  }
  return complete(scanner, draft);
}

function parseList(scanner: HeaderScanner, name: string): SafetensorsEntry {
  const draft: Draft = { name };
  let count = 0;
  scanner.enter();
  for (; scanner.more(mark.closeList, count === 0); count++) {
    if (count === 0) draft.dtype = parseDType(scanner);
    else if (count === 1) parseShape(scanner, draft);
    else if (count === 2) parseOffsets(scanner, draft);
    else scanner.fail("entry", "a list has more than dtype, shape and data_offsets");
  }
  return complete(scanner, draft);
}

function complete(scanner: HeaderScanner, draft: Draft): SafetensorsEntry {
  if (draft.dtype === undefined) scanner.fail("missing-field", "it has no dtype");
  if (draft.shape === undefined) scanner.fail("missing-field", "it has no shape");
  if (draft.begin === undefined) scanner.fail("missing-field", "it has no data_offsets");
  return draft as SafetensorsEntry;
}

function once(scanner: HeaderScanner, field: string, given: unknown): void {
  if (given !== undefined) scanner.fail("duplicate-key", `it has two fields ${field}`);
}

/** `"F32"`, or `{"F32":null}`, which the reference reads too. */
function parseDType(scanner: HeaderScanner): SafetensorsDType {
  const byte = scanner.peek();
  if (byte === mark.quote) return knownDType(scanner, scanner.string());
  if (byte !== mark.openObject) scanner.fail("dtype", "its dtype is no string");
  scanner.enter();
  let dtype: SafetensorsDType | undefined;
  while (scanner.more(mark.closeObject, dtype === undefined)) {
    if (dtype !== undefined) scanner.fail("dtype", "its dtype is an object of several keys");
    dtype = knownDType(scanner, scanner.key());
    if (!scanner.isNull()) scanner.fail("dtype", "its dtype is an object with a value");
  }
  return dtype ?? scanner.fail("dtype", "its dtype is an empty object");
}

function knownDType(scanner: HeaderScanner, name: string): SafetensorsDType {
  if (isSafetensorsDType(name)) return name;
  return scanner.fail("dtype", `${showName(name)} is no dtype of the format`);
}

function parseShape(scanner: HeaderScanner, draft: Draft): void {
  if (scanner.peek() !== mark.openList) scanner.fail("shape", "its shape is no list");
  const shape: (number | bigint)[] = [];
  let isExact = true;
  scanner.enter();
  while (scanner.more(mark.closeList, shape.length === 0)) {
    const length =
      scanner.unsigned() ?? scanner.fail("shape", "a length is no whole number from 0");
    isExact &&= typeof length === "number";
    shape.push(length);
  }
  // A copy has no room to grow: a header may have millions of them.
  draft.shape = isExact ? (shape as number[]).slice() : shape.map(Number);
  if (!isExact) draft.exactShape = shape.map(BigInt);
}

function parseOffsets(scanner: HeaderScanner, draft: Draft): void {
  if (scanner.peek() !== mark.openList) scanner.fail("data-offsets", "data_offsets is no list");
  let count = 0;
  scanner.enter();
  for (; scanner.more(mark.closeList, count === 0); count++) {
    if (count === 2) scanner.fail("data-offsets", "there are more than two data_offsets");
    const offset =
      scanner.unsigned() ?? scanner.fail("data-offsets", "an offset is no whole number from 0");
    if (count === 0) draft.begin = Number(offset);
    else draft.end = Number(offset);
  }
  if (count < 2) scanner.fail("data-offsets", "there are fewer than two data_offsets");
}
