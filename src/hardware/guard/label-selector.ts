import type { LabelSelector } from "./guard-facts.ts";

/**
 * Whether labels are selected. No selector selects nothing, an empty one everything; an operator that
 * nobody knows selects, to be on the safe side.
 */
export function matchesSelector(
  selector: LabelSelector | undefined,
  labels: Readonly<Record<string, string>>,
): boolean {
  if (selector === undefined) return false;
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every((each) => matchesExpression(each, labels[each.key]))
  );
}

function matchesExpression(
  { operator, values = [] }: NonNullable<LabelSelector["matchExpressions"]>[number],
  value: string | undefined,
): boolean {
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    default:
      return true;
  }
}
