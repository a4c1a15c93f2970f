import type { SafetensorsRule } from "../../../../src/runtime/checkpoint/safetensors/index.ts";
import { fileOf } from "./file-of.ts";

/** A file with the rule that refuses it; without one, it opens. */
export interface KnownCase {
  readonly what: string;
  readonly file: Uint8Array;
  readonly rule?: SafetensorsRule;
}

export const good = '{"dtype":"F32","shape":[1],"data_offsets":[0,4]}';

export function entry(fields: Readonly<Record<string, string>>): string {
  const all: Record<string, string> = {
    dtype: '"F32"',
    shape: "[1]",
    data_offsets: "[0,4]",
    ...fields,
  };
  return `{${Object.entries(all)
    .map(([key, value]) => `"${key}":${value}`)
    .join(",")}}`;
}

/** A file of one tensor of four bytes, with some fields as given. */
export function one(fields: Readonly<Record<string, string>>, dataBytes = 4): Uint8Array {
  return fileOf(`{"a":${entry(fields)}}`, dataBytes);
}

export function empty(shape: string, dtype = '"F32"'): Uint8Array {
  return one({ dtype, shape, data_offsets: "[0,0]" }, 0);
}

export const ok = (what: string, file: Uint8Array): KnownCase => ({ what, file });
export const no = (rule: SafetensorsRule, what: string, file: Uint8Array): KnownCase => ({
  what,
  file,
  rule,
});
