import type { State, StateNode } from "../../checkpoint/state.ts";
import { DistTensor } from "../../dist/index.ts";
import { bytesOf, dtypeInfo } from "../../tensor/dtype/index.ts";
import { Tensor } from "../../tensor/index.ts";
import { wholeOf } from "../state/index.ts";

/** Where two states differ first. */
export interface StateDifference {
  readonly name: string;
  readonly element?: number;
  readonly rank?: number;
  readonly expected: string;
  readonly found: string;
}

export interface StateComparison {
  readonly first: StateDifference | undefined;
  readonly tensors: number;
}

/** The two compared leaf by leaf and bit by bit: counts and cursors first, then tensors, by name. */
export function compareStates(expected: State, found: State): StateComparison {
  const [one, other] = [leavesOf(expected), leavesOf(found)];
  const names = [...new Set([...one.keys(), ...other.keys()])].toSorted();
  const isTensor = (name: string) => isTensorLeaf(one.get(name)) || isTensorLeaf(other.get(name));
  const values = names.filter((name) => !isTensor(name));
  const tensors = names.filter(isTensor);
  for (const name of [...values, ...tensors]) {
    const difference = compareLeaves(one.get(name), other.get(name));
    if (difference !== undefined)
      return { first: { name, ...difference }, tensors: tensors.length };
  }
  return { first: undefined, tensors: tensors.length };
}

type Leaf = Exclude<StateNode, State | readonly StateNode[]> | undefined;
type LeafDifference = Omit<StateDifference, "name">;

function leavesOf(state: State): Map<string, Leaf> {
  const leaves = new Map<string, Leaf>();
  const visit = (node: StateNode, path: string): void => {
    if (typeof node !== "object" || node === null || isTensorLeaf(node)) {
      leaves.set(path, node);
      return;
    }
    for (const [key, child] of Object.entries(node)) {
      visit(child, path === "" ? key : `${path}/${key}`);
    }
  };
  visit(state, "");
  return leaves;
}

function isTensorLeaf(node: StateNode | undefined): node is Tensor | DistTensor {
  return node instanceof Tensor || node instanceof DistTensor;
}

function compareLeaves(expected: Leaf, found: Leaf): LeafDifference | undefined {
  if (isTensorLeaf(expected) && isTensorLeaf(found)) {
    const onOneMesh =
      expected instanceof DistTensor &&
      found instanceof DistTensor &&
      expected.mesh.equals(found.mesh) &&
      expected.layout.equals(found.layout);
    return onOneMesh
      ? compareRanks(expected, found)
      : compareTensors(wholeOf(expected), wholeOf(found));
  }
  if (Object.is(expected, found)) return undefined;
  return { expected: show(expected), found: show(found) };
}

/** Replicas too: one that differs from the others is no whole tensor's difference. */
function compareRanks(expected: DistTensor, found: DistTensor): LeafDifference | undefined {
  for (let rank = 0; rank < expected.mesh.size; rank++) {
    const difference = compareTensors(expected.local(rank), found.local(rank));
    if (difference !== undefined) return { rank, ...difference };
  }
  return undefined;
}

function compareTensors(expected: Tensor, found: Tensor): LeafDifference | undefined {
  if (expected === found) return undefined;
  const [one, other] = [expected, found].map(({ dtype, shape }) => `${dtype}[${shape.join(", ")}]`);
  if (one !== other) return { expected: one ?? "", found: other ?? "" };
  const [own, theirs] = [bytesOf(expected.toRaw()), bytesOf(found.toRaw())];
  const at = own.findIndex((byte, index) => byte !== theirs[index]);
  if (at < 0) return undefined;
  const element = Math.floor(at / dtypeInfo(expected.dtype).bytes);
  return { element, expected: showElement(expected, element), found: showElement(found, element) };
}

/** Value and bits: -0 and NaNs look alike otherwise. */
function showElement(tensor: Tensor, element: number): string {
  const { bytes: width } = dtypeInfo(tensor.dtype);
  const bits = bytesOf(tensor.toRaw()).subarray(element * width, (element + 1) * width);
  const hex = [...bits].toReversed().map((byte) => byte.toString(16).padStart(2, "0"));
  return `${tensor.reshape([tensor.size]).at(element)} (0x${hex.join("")})`;
}

function show(leaf: Leaf): string {
  if (leaf === undefined) return "nothing";
  if (isTensorLeaf(leaf)) return leaf.toString();
  return Object.is(leaf, -0) ? "-0" : String(leaf);
}
