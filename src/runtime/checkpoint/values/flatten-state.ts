import { TesseraError } from "../../../platform/errors/index.ts";
import { CudaTensor } from "../../cuda/tensor/index.ts";
import { DistTensor } from "../../dist/array/index.ts";
import { Tensor } from "../../tensor/index.ts";
import { isWellFormed } from "../json/index.ts";
import type { State } from "../state.ts";
import {
  bigintCharactersMax,
  depthMax,
  joinPath,
  leavesMax,
  nameCharactersMax,
  setOwn,
} from "./path.ts";

/** A leaf that has elements. */
export type TensorLeaf = Tensor | DistTensor | CudaTensor;

export interface FlatState {
  /** By name, in the order of the state. */
  readonly tensors: ReadonlyMap<string, TensorLeaf>;
  /** The rest as JSON, with `{"$tensor": NAME}` where a tensor stood. */
  readonly values: unknown;
}

/**
 * Takes a state apart. The result shares nothing with its records and lists, so that they may change.
 *
 * @throws E_CHECKPOINT_STATE naming the path of what cannot be saved.
 */
export function flattenState(
  state: State,
  { tag = "a checkpoint" }: { readonly tag?: string } = {},
): FlatState {
  const tensors = new Map<string, TensorLeaf>();
  let leaves = 0;
  const refuse = (path: string | undefined, problem: string): never => {
    const where = path === undefined ? "the state" : shownPath(path);
    throw new TesseraError("E_CHECKPOINT_STATE", { tag, problem: `${where} ${problem}` });
  };
  const encode = (node: unknown, path: string | undefined, depth: number): unknown => {
    if (depth > depthMax) refuse(path, `lies deeper than ${depthMax} records and lists`);
    if (isTensorLeaf(node)) {
      if ((path ?? "").length > nameCharactersMax) {
        refuse(path, `has a name of more than ${nameCharactersMax} characters`);
      }
      tensors.set(path ?? "", node);
      return { $tensor: path ?? "" };
    }
    if (Array.isArray(node)) {
      // A hole in a list is nothing that could be saved, so that every index is looked at.
      return Array.from(node, (one: unknown, at) => encode(one, joinPath(path, at), depth + 1));
    }
    if (isRecord(node)) return encodeRecord(node, path, depth);
    leaves++;
    if (leaves > leavesMax) refuse(path, `is one of more than ${leavesMax} values`);
    return encodeValue(node, (problem) => refuse(path, problem));
  };
  const encodeRecord = (record: object, path: string | undefined, depth: number) => {
    const encoded: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(record)) {
      if (!isWellFormed(key)) refuse(path, "has a key that is no Unicode text");
      const written = key.startsWith("$") ? `$${key}` : key;
      setOwn(encoded, written, encode(value, joinPath(path, key), depth + 1));
    }
    return encoded;
  };
  if (!isRecord(state)) refuse(undefined, "is no record of names");
  const values = encode(state, undefined, 0);
  if (tensors.size > leavesMax) refuse(undefined, `has more than ${leavesMax} tensors`);
  return { tensors, values };
}

function encodeValue(value: unknown, refuse: (problem: string) => never): unknown {
  switch (typeof value) {
    case "boolean":
      return value;
    case "string":
      return isWellFormed(value) ? value : refuse("is no Unicode text");
    case "number":
      if (Number.isFinite(value) && !Object.is(value, -0)) return value;
      return { $number: Object.is(value, -0) ? "-0" : String(value) };
    case "bigint": {
      const digits = value.toString();
      if (digits.length <= bigintCharactersMax) return { $bigint: digits };
      return refuse(`has more than ${bigintCharactersMax} digits`);
    }
    default:
      return value === null ? null : refuse(`is ${wordFor(value)}, which cannot be saved`);
  }
}

const shownCharacters = 200;

function shownPath(path: string): string {
  return path.length > shownCharacters ? `${path.slice(0, shownCharacters)}…` : path;
}

function wordFor(value: unknown): string {
  if (typeof value !== "object" || value === null) return typeof value;
  const name: unknown = value.constructor?.name;
  return typeof name === "string" && name !== "" ? `a ${name}` : "an object with a class";
}

export function isTensorLeaf(node: unknown): node is TensorLeaf {
  return node instanceof Tensor || node instanceof DistTensor || node instanceof CudaTensor;
}

/** Plain records only: what has a class would come back without it. */
function isRecord(node: unknown): node is object {
  if (typeof node !== "object" || node === null || Array.isArray(node)) return false;
  const prototype: unknown = Object.getPrototypeOf(node);
  return prototype === Object.prototype || prototype === null;
}
