import { z } from "zod";
import { formatBytes, parseBytes, UnitError } from "../units/index.ts";

/** A size: `1MiB`, `500 kB`, or a number of bytes. Resolves to bytes. */
export function bytes(range: { readonly min: number; readonly max: number }) {
  const outside = `must be a size from ${formatBytes(range.min)} to ${formatBytes(range.max)}`;
  return z
    .union([z.string(), z.number()], { error: "must be a size, such as 64MiB" })
    .transform((value, context): number => {
      const size = quantity(() => parseBytes(value));
      if (typeof size === "number" && size >= range.min && size <= range.max) return size;
      const problem = typeof size === "number" ? outside : `must be a size: ${size.howToWrite}`;
      context.addIssue({ code: "custom", message: problem });
      return z.NEVER;
    });
}

/** What a parser of units reads, or its advice on how to write such a quantity. */
function quantity(parse: () => number): number | { readonly howToWrite: string } {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof UnitError)) throw error;
    return { howToWrite: error.accepted };
  }
}
