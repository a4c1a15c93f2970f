import type { FailureModel, ModelChanges } from "./failure-model.ts";
import { type Parameter, parametersOf } from "./parameter.ts";

/** Why these changes cannot be made, in one sentence; undefined where they can. */
export function changesProblem(model: FailureModel, changes: ModelChanges): string | undefined {
  const known = new Set(parametersOf(model).map(({ name }) => name));
  for (const [name, value] of Object.entries(changes)) {
    if (!known.has(name)) return `The failure model has no parameter ${name}`;
    if (!(value >= 0 && Number.isFinite(value))) return `${name} is a number from 0, not ${value}`;
  }
  return undefined;
}

/** The same model with other values, which say that they were changed. Unknown names change nothing. */
export function withChanges(model: FailureModel, changes: ModelChanges): FailureModel {
  const changed = Object.entries(model).map(([section, part]: [string, unknown]) => {
    const isSection = typeof part === "object" && part !== null && !Array.isArray(part);
    return [section, isSection ? changedSection(section, part, changes) : part];
  });
  return Object.fromEntries(changed) as FailureModel;
}

function changedSection(section: string, part: object, changes: ModelChanges): object {
  const entries = Object.entries(part as Record<string, Parameter>).map(([key, parameter]) => {
    const value = changes[`${section}.${key}`];
    if (value === undefined || value === parameter.value) return [key, parameter];
    const note = `changed from ${parameter.value} (${parameter.citation})`;
    return [key, { ...parameter, value, citation: "assumption", note }];
  });
  return Object.fromEntries(entries) as object;
}
