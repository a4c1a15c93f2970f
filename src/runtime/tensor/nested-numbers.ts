import { formatShape, shapeError } from "./shape.ts";

/** Numbers as users write a tensor: `5`, `[1, 2]`, `[[1, 2], [3, 4]]`. */
export type NestedNumbers = number | readonly NestedNumbers[];

/** The lists of one tensor: `values` in row-major order as nested lists of this shape. */
export function nest(values: Float64Array, shape: readonly number[]): NestedNumbers {
  const build = (dim: number, start: number, count: number): NestedNumbers => {
    const length = shape[dim];
    if (length === undefined) return values[start] as number;
    const part = length === 0 ? 0 : count / length;
    return Array.from({ length }, (_, index) => build(dim + 1, start + index * part, part));
  };
  return build(0, 0, values.length);
}

/** The shape and the numbers of nested lists. Throws E_SHAPE when lists differ in length or depth. */
export function flatten(
  operation: string,
  nested: NestedNumbers,
): { shape: number[]; values: Float64Array } {
  const shape = shapeOfFirst(nested);
  const values: number[] = [];
  const path: number[] = [];
  const visit = (part: NestedNumbers): void => {
    const length = shape[path.length];
    if (length === undefined) {
      if (typeof part !== "number") {
        throw shapeError(operation, `${placeName(path)} is ${kindOf(part)} where a number belongs`);
      }
      values.push(part);
      return;
    }
    if (!Array.isArray(part) || part.length !== length) {
      throw shapeError(
        operation,
        `the lists are ragged: ${placeName(path)} is ${kindOf(part)} where the shape ${formatShape(shape)} has a list of ${length}`,
      );
    }
    for (const [index, item] of part.entries()) {
      path.push(index);
      visit(item);
      path.pop();
    }
  };
  visit(nested);
  return { shape, values: Float64Array.from(values) };
}

/** Lists this deep are a mistake, or hold themselves. */
const depthMax = 64;

function shapeOfFirst(nested: NestedNumbers): number[] {
  const shape: number[] = [];
  for (let part: NestedNumbers | undefined = nested; Array.isArray(part); part = part[0]) {
    if (shape.length === depthMax) throw shapeError("tensor", `lists nest deeper than ${depthMax}`);
    shape.push(part.length);
  }
  return shape;
}

function placeName(path: readonly number[]): string {
  return path.length === 0 ? "the value" : `the value at ${formatShape(path)}`;
}

function kindOf(part: unknown): string {
  if (Array.isArray(part)) return `a list of ${part.length}`;
  return typeof part === "number" ? `the number ${part}` : `a ${typeof part}`;
}
