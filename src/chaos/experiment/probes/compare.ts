import type { Comparison } from "../../plan/index.ts";

/** What a question gave: it holds, it does not, or nobody knows. */
export interface ProbeFinding {
  readonly holds: boolean | null;
  readonly reason: string;
}

/** Holds a value against a comparison. Sizes of what is no number have no order: no answer. */
export function compareValue(value: unknown, is: Comparison): ProbeFinding {
  const wanted = `${is.operator} ${String(is.value)}`;
  if (value === undefined || value === null) {
    return { holds: null, reason: `there is no value, ${wanted} is wanted` };
  }
  const shown = describe(value);
  const reason = `it is ${shown}, ${wanted} is wanted`;
  if (is.operator === "==" || is.operator === "!=") {
    const isEqual = typeof value === "object" ? false : value === is.value;
    return { holds: isEqual === (is.operator === "=="), reason };
  }
  const [left, right] = [Number(value), Number(is.value)];
  const isNumber = typeof value === "number" || typeof value === "string";
  if (!isNumber || Number.isNaN(left) || Number.isNaN(right) || value === "") {
    return { holds: null, reason: `${shown} is no number, ${wanted} is wanted` };
  }
  return { holds: inOrder(left, is.operator, right), reason };
}

function inOrder(left: number, operator: "<" | "<=" | ">" | ">=", right: number): boolean {
  switch (operator) {
    case "<":
      return left < right;
    case "<=":
      return left <= right;
    case ">":
      return left > right;
    case ">=":
      return left >= right;
  }
}

function describe(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
