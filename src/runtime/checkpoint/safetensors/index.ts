/**
 * Our own strict codec of the safetensors format: it refuses what the reference implementation
 * refuses, and opens what that opens with the same values. Every refusal is E_SAFETENSORS and names
 * the file, the rule and the tensor.
 */
export { dtypeOfSafetensors, isSafetensorsDType, safetensorsDTypeOf } from "./dtype-names.ts";
export type { SafetensorsEntry, SafetensorsHeader } from "./header.ts";
export { type EntryToWrite, headerFor, type WrittenHeader } from "./header-for.ts";
export { type ByteRange, openSafetensors, type SafetensorsFile } from "./open-safetensors.ts";
export { type HeaderSource, parseHeader } from "./parse-header.ts";
export { readHeader } from "./read-header.ts";
export { type SafetensorsRule, safetensorsRules } from "./rules.ts";
export { type SafetensorsDType, safetensorsBits } from "./safetensors-dtype.ts";
export { type SavedSafetensors, saveSafetensors } from "./save-safetensors.ts";
