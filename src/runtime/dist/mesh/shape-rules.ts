import { TesseraError } from "../../../platform/errors/index.ts";
import { axisIndexIn, showAxes } from "./axis-names.ts";
import { mostBalanced, squareFirst } from "./factorise.ts";
import { nodeSizeOf } from "./node-size.ts";
import { levelOf, shapeByTopologyNames } from "./topology-names.ts";

/** How a mesh came by its shape. */
export type ShapeRule =
  | "explicit"
  | "nested"
  | "topology names"
  | "square first"
  | "balanced"
  | "single";

/** A shape as the user gives it: in the order of the axes, or by name. */
export type GivenShape = readonly number[] | Readonly<Record<string, number>>;

export interface ShapeQuestion {
  readonly axes: readonly string[];
  readonly count: number;
  /** The lengths of nested device lists; one entry when they did not nest. */
  readonly nesting: readonly number[];
  readonly given: GivenShape | undefined;
  readonly topology: string | undefined;
  readonly strict: boolean;
}

export interface ResolvedShape {
  readonly shape: readonly number[];
  readonly rule: ShapeRule;
  readonly warnings: readonly string[];
}

/**
 * The shape of a mesh: what was given wins, then how the lists nest, then axis names of the
 * machine, then square first (72 over three axes is 6 x 6 x 2), then the most balanced.
 *
 * @throws E_MESH_SHAPE, E_MESH_AXIS (a shape that names another axis), E_MESH_DEGENERATE.
 */
export function resolveShape(question: ShapeQuestion): ResolvedShape {
  const { axes, count, given, nesting, topology } = question;
  if (given !== undefined) {
    const shape = explicitShape(question, given);
    return { shape, rule: "explicit", warnings: mismatches(question, shape) };
  }
  if (nesting.length > 1) {
    const shape = nestedShape(question);
    return { shape, rule: "nested", warnings: mismatches(question, shape) };
  }
  if (axes.length === 1) return { shape: [count], rule: "single", warnings: [] };
  const named = shapeByTopologyNames(axes, count, nodeSizeOf(topology));
  const judged = (shape: readonly number[], rule: ShapeRule) => judge(question, shape, rule);
  if (named !== undefined) return judged(named, "topology names");
  const square = axes.length >= 3 ? squareFirst(count, axes.length) : undefined;
  return square === undefined
    ? judged(mostBalanced(count, axes.length), "balanced")
    : judged(square, "square first");
}

function explicitShape(question: ShapeQuestion, given: GivenShape): readonly number[] {
  const { axes, count } = question;
  const shape = isList(given) ? given : shapeByName(question, given);
  if (shape.length !== axes.length) {
    throw badShape(question, shape, `it has ${shape.length} sizes for ${axes.length} axes`);
  }
  for (const size of shape) {
    if (!Number.isSafeInteger(size) || size < 1) {
      throw badShape(question, shape, `${String(size)} is no size`);
    }
  }
  const product = productOf(shape);
  if (product !== count) throw badShape(question, shape, `that makes ${product} devices`);
  return [...shape];
}

function shapeByName(
  question: ShapeQuestion,
  given: Readonly<Record<string, number>>,
): readonly number[] {
  for (const name of Object.keys(given)) axisIndexIn(question.axes, name);
  return question.axes.map((axis) => {
    const size = Object.hasOwn(given, axis) ? given[axis] : undefined;
    if (size === undefined) {
      throw badShape(question, Object.values(given), `it has no size for the axis ${axis}`);
    }
    return size;
  });
}

function nestedShape(question: ShapeQuestion): readonly number[] {
  const { axes, nesting } = question;
  if (nesting.length === axes.length) return nesting;
  const problem = `the device lists nest ${nesting.length} deep, and there are ${axes.length} axes`;
  throw badShape(question, nesting, problem);
}

/** Says what is odd about a shape that a rule chose; a strict mesh refuses what has an axis of 1. */
function judge(question: ShapeQuestion, shape: readonly number[], rule: ShapeRule): ResolvedShape {
  const { axes, count, strict, topology } = question;
  // One node with all devices is a fact of the machine, not a lack of factors.
  const ones = axes.filter((axis, index) => shape[index] === 1 && levelOf(axis) !== "node");
  const shown = showShape(shape);
  const warnings: string[] = [];
  if (ones.length > 0) {
    if (strict) {
      const details = { devices: count, axes: showAxes(axes), shape: shown };
      throw new TesseraError("E_MESH_DEGENERATE", details);
    }
    warnings.push(
      `MESH_DEGENERATE: ${count} devices over ${axes.join(", ")} became ${shown}, with size 1 for ${ones.join(" and ")}`,
    );
  }
  if (rule !== "topology names" && axes.some((axis) => levelOf(axis) !== undefined)) {
    const { gpusPerNode } = nodeSizeOf(topology);
    warnings.push(
      `MESH_TOPOLOGY: ${count} devices do not fill nodes of ${gpusPerNode} along ${axes.join(", ")}, so the shape is ${shown}`,
    );
  }
  return { shape, rule, warnings };
}

/** A given shape whose axis of GPUs is not what a node of the named topology has. */
function mismatches(question: ShapeQuestion, shape: readonly number[]): string[] {
  const { axes, topology } = question;
  if (topology === undefined || !axes.some((axis) => levelOf(axis) === "node")) return [];
  const { gpusPerNode } = nodeSizeOf(topology);
  return axes.flatMap((axis, index) => {
    const size = shape[index] ?? 1;
    if (levelOf(axis) !== "gpu" || size === gpusPerNode) return [];
    return [
      `MESH_TOPOLOGY: ${axis} has size ${size}, and a node of ${topology} has ${gpusPerNode} GPUs`,
    ];
  });
}

function badShape(
  question: ShapeQuestion,
  shape: readonly number[],
  problem: string,
): TesseraError {
  return new TesseraError("E_MESH_SHAPE", {
    devices: question.count,
    axes: showAxes(question.axes),
    shape: showShape(shape),
    problem,
  });
}

/** A shape as it stands in messages: `6 × 6 × 2`. */
export function showShape(shape: readonly number[]): string {
  return shape.length === 0 ? "()" : shape.join(" × ");
}

/** The product of sizes; 1 for none. */
export function productOf(sizes: readonly number[]): number {
  return sizes.reduce((product, size) => product * size, 1);
}

function isList(given: GivenShape): given is readonly number[] {
  return Array.isArray(given);
}
