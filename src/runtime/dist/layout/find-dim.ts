import { didYouMean } from "../../../platform/config/index.ts";
import { TesseraError } from "../../../platform/errors/index.ts";
import { formatShape } from "../../tensor/shape.ts";
import type { DimName } from "./layout-spec.ts";

/**
 * The number of a dimension that is given by number or name.
 *
 * @throws E_LAYOUT_DIM
 */
export function findDim(
  dim: DimName,
  shape: readonly number[],
  dimNames?: readonly string[],
): number {
  if (typeof dim === "number") return byNumber(dim, shape);
  const named = dimNames?.indexOf(dim) ?? -1;
  if (named >= 0) return byNumber(named, shape);
  if (dim === "row" && shape.length > 0) return 0;
  if (dim === "col" && shape.length > 0) return shape.length - 1;
  const suggestion = didYouMean(dim, [...(dimNames ?? []), "row", "col"]);
  throw badDim(dim, shape, `it has no dimension of that name${suggestion}`);
}

function byNumber(dim: number, shape: readonly number[]): number {
  const index = dim < 0 ? dim + shape.length : dim;
  if (Number.isInteger(dim) && index >= 0 && index < shape.length) return index;
  throw badDim(dim, shape, `it has ${shape.length} dimensions`);
}

/** The error for a dimension that a layout cannot split. */
export function badDim(
  dim: DimName,
  shape: readonly number[],
  problem: string,
): TesseraError<"E_LAYOUT_DIM"> {
  const shown =
    typeof dim === "number" ? `dimension ${dim}` : `the dimension ${JSON.stringify(dim)}`;
  return new TesseraError("E_LAYOUT_DIM", { dim: shown, shape: formatShape(shape), problem });
}
