import assert from "node:assert/strict";
import { isUtf8 } from "node:buffer";
import { mark } from "../json/index.ts";
import type { SafetensorsEntry, SafetensorsHeader } from "./header.ts";
import { HeaderScanner } from "./header-scanner.ts";
import { layOut } from "./lay-out.ts";
import { longestHeaderBytes, prefixBytes } from "./limits.ts";
import { parseEntry } from "./parse-entry.ts";
import { refusal } from "./refusal.ts";

export interface HeaderSource {
  /** What refusals call the file. */
  readonly file: string;
  /** Of the whole file. */
  readonly fileBytes: number;
}

/**
 * Reads and checks the header of a file from its first bytes: at least the 8 and the header, or all of
 * it. Every number in it has been held against the file's size, and the tensors fill the file without
 * hole or overlap. Throws E_SAFETENSORS with `file`, `problem`, `rule`, and `tensor` and `position`
 * where known. Takes memory in proportion to the header that is there.
 */
export function parseHeader(bytes: Uint8Array, source: HeaderSource): SafetensorsHeader {
  const { file, fileBytes } = source;
  assert(Number.isSafeInteger(fileBytes) && fileBytes >= 0, "a file has a whole number of bytes");
  const dataStart = dataStartOf(bytes, source);
  assert(bytes.length >= dataStart, "all of the header is given");
  if (!isUtf8(bytes.subarray(prefixBytes, dataStart))) {
    throw refusal(file, { rule: "utf-8", problem: "the header is no UTF-8" });
  }
  const scanner = new HeaderScanner(file, { bytes, start: prefixBytes, end: dataStart });
  const { tensors, metadata, repeated } = parseMembers(scanner);
  const entries = layOut(tensors.values(), { file, dataBytes: fileBytes - dataStart, repeated });
  return {
    entries,
    metadata,
    dataStart,
    fileBytes,
    ...(repeated.size === 0 ? {} : { repeated: [...repeated] }),
  };
}

/** Where the tensors' bytes begin, by the first 8 bytes of a file. Throws E_SAFETENSORS. */
export function dataStartOf(bytes: Uint8Array, { file, fileBytes }: HeaderSource): number {
  if (fileBytes < prefixBytes || bytes.length < prefixBytes) {
    const problem = `it has ${fileBytes} bytes, too few for the length of a header`;
    throw refusal(file, { rule: "prefix-missing", problem });
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, prefixBytes);
  const length = view.getBigUint64(0, true);
  if (length > longestHeaderBytes) {
    const problem = `a header of ${length} bytes is longer than ${longestHeaderBytes}`;
    throw refusal(file, { rule: "header-too-long", problem, position: 0 });
  }
  const dataStart = prefixBytes + Number(length);
  if (dataStart > fileBytes) {
    const problem = `its header ends at byte ${dataStart} of ${fileBytes}`;
    throw refusal(file, { rule: "header-truncated", problem });
  }
  return dataStart;
}

interface Members {
  readonly tensors: ReadonlyMap<string, SafetensorsEntry>;
  readonly metadata: Readonly<Record<string, string>>;
  /** Names that stand more than once; the last one counts. */
  readonly repeated: ReadonlySet<string>;
}

function parseMembers(scanner: HeaderScanner): Members {
  const tensors = new Map<string, SafetensorsEntry>();
  const repeated = new Set<string>();
  let metadata: Readonly<Record<string, string>> | undefined;
  if (scanner.peek() !== mark.openObject) scanner.fail("json", "the header is no JSON object");
  scanner.enter();
  for (let isFirst = true; scanner.more(mark.closeObject, isFirst); isFirst = false) {
    const name = scanner.key();
    if (name === "__metadata__") {
      if (metadata !== undefined) scanner.fail("duplicate-key", "there are two __metadata__");
      metadata = parseMetadata(scanner);
      continue;
    }
    if (tensors.has(name)) repeated.add(name);
    scanner.tensor = name;
    tensors.set(name, parseEntry(scanner, name));
    scanner.tensor = undefined;
  }
  if (scanner.peek() !== -1) scanner.fail("json", "more than one object stands in the header");
  return { tensors, metadata: metadata ?? {}, repeated };
}

function parseMetadata(scanner: HeaderScanner): Readonly<Record<string, string>> {
  if (scanner.isNull()) return {};
  if (scanner.peek() !== mark.openObject) scanner.fail("metadata", "__metadata__ is no object");
  const pairs = new Map<string, string>();
  scanner.enter();
  for (let isFirst = true; scanner.more(mark.closeObject, isFirst); isFirst = false) {
    const key = scanner.key();
    if (scanner.peek() !== mark.quote) scanner.fail("metadata", "a value is no string");
    pairs.set(key, scanner.string());
  }
  // Unlike assignment, this makes `__proto__` a key like any other.
  return Object.fromEntries(pairs);
}
