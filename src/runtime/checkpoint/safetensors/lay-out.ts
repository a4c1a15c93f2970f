import type { SafetensorsEntry } from "./header.ts";
import { type RefusalFacts, refusal } from "./refusal.ts";
import { tensorBytes } from "./tensor-bytes.ts";

export interface LayOutOptions {
  readonly file: string;
  /** What the file has after its header. */
  readonly dataBytes: number;
  /** Names of which only the last entry is given. */
  readonly repeated: ReadonlySet<string>;
}

/**
 * Puts tensors in the order of their bytes and proves that they fill the file: each begins where the
 * one before ends and has the bytes of its shape. Throws E_SAFETENSORS.
 */
export function layOut(
  tensors: Iterable<SafetensorsEntry>,
  options: LayOutOptions,
): readonly SafetensorsEntry[] {
  const { dataBytes } = options;
  const entries = [...tensors];
  for (const entry of entries) assertInside(entry, options);
  // Tensors without elements may share a place; they stay in the order of the header.
  entries.sort((one, other) => one.begin - other.begin || one.end - other.end);
  let filled = 0;
  for (const entry of entries) {
    const { name, begin, end } = entry;
    if (begin !== filled) {
      const [rule, problem] =
        begin < filled
          ? ([
              "overlap",
              `it begins at ${begin}, before ${filled}, where the last one ends`,
            ] as const)
          : ([
              "hole",
              `it begins at ${begin}, and nothing fills the bytes from ${filled}`,
            ] as const);
      throw refuse(options, { rule, problem, tensor: name });
    }
    filled = end;
    assertFills(entry, options);
  }
  if (filled !== dataBytes) {
    const problem = `${dataBytes - filled} bytes follow the last tensor`;
    throw refuse(options, { rule: "trailing-bytes", problem });
  }
  return entries;
}

function assertInside({ name, begin, end }: SafetensorsEntry, options: LayOutOptions): void {
  if (end < begin) {
    const problem = `it ends at ${end}, before it begins at ${begin}`;
    throw refuse(options, { rule: "offsets-reversed", problem, tensor: name });
  }
  if (end > options.dataBytes) {
    const problem = `it ends at ${end}, and the file has ${options.dataBytes} bytes of data`;
    throw refuse(options, { rule: "outside-file", problem, tensor: name });
  }
}

function assertFills(entry: SafetensorsEntry, options: LayOutOptions): void {
  const { name, dtype, shape, begin, end } = entry;
  const sized = tensorBytes(dtype, entry.exactShape ?? shape);
  if ("rule" in sized) throw refuse(options, { ...sized, tensor: name });
  if (sized.bytes === end - begin) return;
  const problem = `its dtype and shape make ${sized.bytes} bytes, its data_offsets ${end - begin}`;
  throw refuse(options, { rule: "shape-bytes", problem, tensor: name });
}

/** Where a name stands twice, that is what is wrong, whatever it leads to. */
function refuse({ file, repeated }: LayOutOptions, facts: RefusalFacts) {
  const [name] = repeated;
  if (name === undefined) return refusal(file, facts);
  const problem = `the name stands twice, and with the last of them this is wrong: ${facts.problem}`;
  return refusal(file, { rule: "duplicate-key", problem, tensor: name });
}
