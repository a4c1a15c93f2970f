import { CudaTensor } from "../../cuda/tensor/index.ts";
import { DistTensor } from "../../dist/array/index.ts";
import { Tensor } from "../../tensor/index.ts";
import { verifyError } from "./verify-error.ts";

/** A tensor, wherever it lies. */
export type AnyTensor = Tensor | DistTensor | CudaTensor;

/** What stands at a leaf of something that is compared. */
export type ComparableLeaf = AnyTensor | number | string | boolean | bigint | null | undefined;

/** What can be compared: a tensor, a plain value, or records and lists of them of any depth. */
export type Comparable =
  | ComparableLeaf
  | readonly Comparable[]
  | { readonly [name: string]: Comparable };

/** A place in what is compared: a leaf, or a record or list that has others below it. */
export type Place =
  | { readonly kind: "leaf"; readonly path: string; readonly value: ComparableLeaf }
  | { readonly kind: "record" | "list"; readonly path: string };

const depthMax = 64;
const placesMax = 1_000_000;

export function isTensor(value: unknown): value is AnyTensor {
  return value instanceof Tensor || value instanceof DistTensor || value instanceof CudaTensor;
}

/**
 * All places by path, in the order of names. Paths join with "/": `model/w1`; a list's are numbers,
 * the root's is empty. "/" and "~" within a name become "~1" and "~0", so that no two places share one.
 *
 * @throws E_VERIFY for what goes deeper than 64 levels, has more than 10^6 places, or is not comparable.
 */
export function placesOf(value: Comparable): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  const walk = (path: string, node: Comparable, depth: number): void => {
    if (depth > depthMax) throw verifyError(`${path} lies deeper than ${depthMax} levels`);
    if (places.size >= placesMax) throw verifyError(`there are more than ${placesMax} places`);
    const children = childrenOf(path, node);
    if (children === undefined) {
      places.set(path, { kind: "leaf", path, value: node as ComparableLeaf });
      return;
    }
    places.set(path, { kind: Array.isArray(node) ? "list" : "record", path });
    for (const [name, child] of children) walk(joined(path, name), child, depth + 1);
  };
  walk("", value, 0);
  return places;
}

function childrenOf(
  path: string,
  node: Comparable,
): readonly (readonly [string, Comparable])[] | undefined {
  const shown = path === "" ? "what was given" : path;
  if (typeof node === "function" || typeof node === "symbol") {
    throw verifyError(`${shown} is a ${typeof node}, which is not compared`);
  }
  if (typeof node !== "object" || node === null || isTensor(node)) return undefined;
  if (Array.isArray(node)) {
    // Holes, which `map` would leave out, are undefined.
    return Array.from(node, (child: Comparable, place) => [String(place), child] as const);
  }
  const prototype: unknown = Object.getPrototypeOf(node);
  if (prototype !== Object.prototype && prototype !== null) {
    throw verifyError(`${shown} is a ${node.constructor.name}, which is not compared`);
  }
  return Object.entries(node).toSorted(([one], [other]) => (one < other ? -1 : 1));
}

function joined(path: string, name: string): string {
  const escaped = name.replaceAll("~", "~0").replaceAll("/", "~1");
  return path === "" ? escaped : `${path}/${escaped}`;
}
