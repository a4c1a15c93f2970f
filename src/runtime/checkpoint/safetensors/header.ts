import type { SafetensorsDType } from "./safetensors-dtype.ts";

/** One tensor of a safetensors file. */
export interface SafetensorsEntry {
  readonly name: string;
  readonly dtype: SafetensorsDType;
  readonly shape: readonly number[];
  /** Only where a length is above 2^53, which a tensor without elements can have: the same, exactly. */
  readonly exactShape?: readonly bigint[];
  /** Its bytes: from `begin` to before `end`, counted from the end of the header. */
  readonly begin: number;
  readonly end: number;
}

/** What stands before the bytes of a safetensors file. */
export interface SafetensorsHeader {
  /** In the order of their bytes. */
  readonly entries: readonly SafetensorsEntry[];
  readonly metadata: Readonly<Record<string, string>>;
  /** Names that stood more than once, if any did. As in the reference implementation, the last counts. */
  readonly repeated?: readonly string[];
  /** Where the tensors' bytes begin in the file: 8 and the length of the JSON. */
  readonly dataStart: number;
  /** Of the whole file. */
  readonly fileBytes: number;
}
