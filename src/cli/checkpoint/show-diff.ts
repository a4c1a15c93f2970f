import { counted } from "../../platform/plots/units.ts";
import { formatBytes } from "../../platform/units/index.ts";
import type { DiffResult, TensorDifference } from "../../runtime/checkpoint/examine/index.ts";
import { tableOf } from "../text-table.ts";
import { cut } from "./limit.ts";

export interface DiffPaths {
  readonly a: string;
  readonly b: string;
}

/** The differences for people. */
export function showDiff(
  { a, b }: DiffPaths,
  result: DiffResult,
  limit: number,
): readonly string[] {
  return [
    ...tableOf([
      ["A", a],
      ["B", b],
    ]),
    "",
    conclusion(result),
    ...list("only in A", result.onlyInA, limit),
    ...list("only in B", result.onlyInB, limit),
    ...formLines(result, limit),
    ...tensorLines(result.tensors, limit),
    ...valueLines(result, limit),
  ];
}

function conclusion(result: DiffResult): string {
  const { equal, same, byDigest, readBytes } = result;
  const how = `${byDigest} by digest, ${formatBytes(readBytes)} read`;
  if (equal) return `The same: ${tensors(same)} (${how}).`;
  const { onlyInA, onlyInB, forms, values, valuesLeftOut } = result;
  const counts = [
    [result.tensors.length, "with other bits"],
    [forms.length, "of another dtype or shape"],
    [onlyInA.length, "only in A"],
    [onlyInB.length, "only in B"],
  ] as const;
  const parts = counts.flatMap(([count, what]) => (count > 0 ? [`${tensors(count)} ${what}`] : []));
  const otherValues = values.length + valuesLeftOut;
  const all = otherValues > 0 ? [...parts, counted(otherValues, "other value")] : parts;
  return `Different: ${all.join(", ")}; ${tensors(same)} the same (${how}).`;
}

function tensors(count: number): string {
  return counted(count, "tensor");
}

function list(title: string, names: readonly string[], limit: number): readonly string[] {
  if (names.length === 0) return [];
  const { shown, more } = cut(names, limit);
  return ["", title.toUpperCase(), ...shown.map((name) => `  ${name}`), ...more.map(indent)];
}

function formLines({ forms }: DiffResult, limit: number): readonly string[] {
  if (forms.length === 0) return [];
  const { shown, more } = cut(forms, limit);
  const rows = shown.map(({ name, a, b }) => [name, a, b]);
  return ["", ...tableOf([["OTHER FORM", "A", "B"], ...rows]), ...more];
}

function tensorLines(differences: readonly TensorDifference[], limit: number): readonly string[] {
  if (differences.length === 0) return [];
  const { shown, more } = cut(differences, limit);
  const head = ["OTHER BITS", "ELEMENTS", "FIRST", "A", "B", "LARGEST |A - B|", "ULP", "NAN"];
  const rows = shown.map(({ name, difference }) => {
    const { count, elements, firstIndex, firstA, firstB, maxAbs, maxUlp, notNumbers } = difference;
    return [
      name,
      `${count} of ${elements}`,
      `[${firstIndex.join(", ")}]`,
      numberText(firstA),
      numberText(firstB),
      numberText(maxAbs),
      numberText(maxUlp),
      String(notNumbers),
    ];
  });
  return ["", ...tableOf([head, ...rows]), ...more];
}

function valueLines({ values, valuesLeftOut }: DiffResult, limit: number): readonly string[] {
  if (values.length === 0) return [];
  const { shown } = cut(values, limit);
  const left = values.length - shown.length + valuesLeftOut;
  const rows = shown.map(({ path, a, b }) => [path, valueText(a), valueText(b)]);
  const more = left > 0 ? [`… and ${left} more`] : [];
  return ["", ...tableOf([["OTHER VALUE", "A", "B"], ...rows]), ...more];
}

function indent(line: string): string {
  return `  ${line}`;
}

/** A number with all that tells it from others: -0, NaN. */
function numberText(value: number | null): string {
  if (value === null) return "-";
  return Object.is(value, -0) ? "-0" : String(value);
}

const valueCharsMax = 60;

/** A value of the state on one line. */
export function valueText(value: unknown): string {
  if (value === undefined) return "-";
  const text = typeof value === "string" ? JSON.stringify(value) : String(jsonValue(value));
  return text.length <= valueCharsMax ? text : `${text.slice(0, valueCharsMax - 1)}…`;
}

/** The differences for programs; numbers that JSON does not have are texts: "NaN", "-0", "Infinity", "12n". */
export function diffDocument(paths: DiffPaths, result: DiffResult) {
  return {
    ...paths,
    ...result,
    values: result.values.map((value) => ({
      path: value.path,
      ...("a" in value ? { a: jsonValue(value.a) } : {}),
      ...("b" in value ? { b: jsonValue(value.b) } : {}),
    })),
    tensors: result.tensors.map(({ difference, ...tensor }) => ({
      ...tensor,
      difference: {
        ...difference,
        firstA: jsonNumber(difference.firstA),
        firstB: jsonNumber(difference.firstB),
        maxAbs: jsonNumber(difference.maxAbs),
      },
    })),
  };
}

function jsonNumber(value: number | null): number | string | null {
  if (value === null) return null;
  return Number.isFinite(value) && !Object.is(value, -0) ? value : numberText(value);
}

/** A leaf of the state as JSON has it; a bigint as `12n`. */
function jsonValue(value: unknown): unknown {
  if (typeof value === "bigint") return `${value}n`;
  return typeof value === "number" ? jsonNumber(value) : value;
}
