import { didYouMean } from "../../../platform/config/index.ts";
import { TesseraError } from "../../../platform/errors/index.ts";

const axesMax = 8;
const nameLengthMax = 64;

/**
 * Checks the names of a mesh's axes.
 *
 * @throws E_MESH_AXES for none or too many, and for a name that is empty, padded or there twice.
 */
export function checkAxisNames(axes: readonly string[]): void {
  const refuse = (problem: string): never => {
    throw new TesseraError("E_MESH_AXES", { axes: showAxes(axes), problem });
  };
  if (!Array.isArray(axes) || axes.length === 0) refuse("a mesh has at least one axis");
  if (axes.length > axesMax) refuse(`a mesh has at most ${axesMax} axes`);
  for (const [index, name] of axes.entries()) {
    if (typeof name !== "string" || name === "") refuse("a name is empty");
    if (name !== name.trim() || name.length > nameLengthMax) refuse(`${quote(name)} is no name`);
    if (axes.indexOf(name) !== index) refuse(`${quote(name)} is there twice`);
  }
}

/**
 * The position of a name among the axes.
 *
 * @throws E_MESH_AXIS, with the name that was probably meant.
 */
export function axisIndexIn(axes: readonly string[], axis: string): number {
  const index = axes.indexOf(axis);
  if (index >= 0) return index;
  const suggestion = typeof axis === "string" ? didYouMean(axis, axes) : "";
  throw new TesseraError("E_MESH_AXIS", { axis: quote(axis), suggestion, axes: axes.join(", ") });
}

/** Axis names as they stand in messages: `[tp, pp]`. */
export function showAxes(axes: readonly string[]): string {
  return Array.isArray(axes) ? `[${axes.join(", ")}]` : String(axes);
}

function quote(name: string): string {
  return `\`${name}\``;
}
