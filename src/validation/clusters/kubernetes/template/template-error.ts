import { TesseraError } from "../../../../platform/errors/index.ts";

/** The error for a template that cannot be used. */
export function templateError(
  template: string,
  place: { readonly line: number; readonly column: number } | undefined,
  problem: string,
): TesseraError<"E_TEMPLATE_INVALID"> {
  const where =
    place === undefined ? "the whole file" : `line ${place.line}, column ${place.column}`;
  return new TesseraError("E_TEMPLATE_INVALID", { template, where, problem });
}
