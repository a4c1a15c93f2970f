import type { z } from "zod";
import { didYouMean } from "../../../platform/config/suggest.ts";
import { TesseraError } from "../../../platform/errors/index.ts";
import type { FaultName } from "../fault-names.ts";
import { type FaultParams, faultEntry } from "./catalogue.ts";
import { nearestIssue } from "./nearest-issue.ts";
import { shown } from "./shown.ts";

/**
 * The parameters of a fault, complete: what is given, and defaults for the rest. A duration may be given
 * as text under its name without the unit: `latency: 50ms` is `latencyUs: 50000`. What comes out goes in
 * again unchanged.
 *
 * @throws E_FAULT_UNKNOWN; E_FAULT_INVALID naming the field, its value and what it takes.
 */
export function resolveParams<Name extends FaultName>(
  name: Name,
  given?: Readonly<Record<string, unknown>>,
): FaultParams<Name>;
export function resolveParams(
  name: string,
  given?: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>>;
export function resolveParams(
  name: string,
  given: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  const { params } = faultEntry(name);
  const fields = Object.keys(params.shape);
  const renamed: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given)) {
    const field = fieldOf(key, fields);
    if (field === undefined) throw unknownField(name, key, { value, fields });
    if (Object.hasOwn(renamed, field)) {
      throw invalid(name, `${field} is given twice`, `Give ${key} or ${field}, not both.`);
    }
    if (field !== key && typeof value !== "string") throw bareNumber(name, key, { value, field });
    renamed[field] = value;
  }
  const parsed = params.safeParse(renamed);
  if (parsed.success) return parsed.data;
  const { place, message } = nearestIssue(parsed.error.issues);
  const field = place[0] ?? "";
  const problem = `${field} is ${shown(renamed[field])}: ${message}`;
  throw invalid(name, problem, remedyOf(params, field));
}

/** `latency` and `latencyUs` are one field. */
function fieldOf(key: string, fields: readonly string[]): string | undefined {
  return fields.find((field) => field === key || field === `${key}Us`);
}

interface Given {
  readonly value: unknown;
  readonly fields: readonly string[];
}

function unknownField(fault: string, key: string, { value, fields }: Given): TesseraError {
  const problem = `it has no parameter ${key} (${shown(value)})${didYouMean(key, fields)}`;
  const remedy =
    fields.length === 0 ? "It takes no parameters." : `Its parameters are ${fields.join(", ")}.`;
  return invalid(fault, problem, remedy);
}

function bareNumber(
  fault: string,
  key: string,
  { value, field }: { readonly value: unknown; readonly field: string },
): TesseraError {
  const problem = `${key} is ${shown(value)}, without a unit`;
  return invalid(fault, problem, `Give text such as 50ms, or whole microseconds as ${field}.`);
}

function remedyOf(params: z.ZodObject, field: string): string {
  const schema = params.shape[field];
  const description = schema === undefined ? "" : (schema as z.ZodType).description;
  const byDefault = shown((params.parse({}) as Readonly<Record<string, unknown>>)[field]);
  return `${field}: ${description ?? ""}; ${byDefault} when it is not given.`;
}

function invalid(fault: string, problem: string, remedy: string): TesseraError {
  return new TesseraError("E_FAULT_INVALID", { fault, problem, remedy });
}
