import type { CitationName } from "./citation.ts";

/** One number of a model, never without its unit and where it comes from. */
export interface Parameter {
  readonly value: number;
  readonly unit: string;
  readonly citation: CitationName;
  /** What it means here, and how far it can be trusted. */
  readonly note: string;
}

export function parameter(
  value: number,
  unit: string,
  citation: CitationName,
  note: string,
): Parameter {
  return { value, unit, citation, note };
}

/** Every parameter of a model with its dotted name, in order; what is not a parameter is passed over. */
export function parametersOf(
  part: object,
  prefix = "",
): readonly (Parameter & { readonly name: string })[] {
  return Object.entries(part).flatMap(([key, value]: [string, unknown]) => {
    if (typeof value !== "object" || value === null) return [];
    const name = `${prefix}${key}`;
    return isParameter(value) ? [{ name, ...value }] : parametersOf(value, `${name}.`);
  });
}

function isParameter(value: object): value is Parameter {
  return "value" in value && "unit" in value && "citation" in value && "note" in value;
}
