import type { NodeRequirement, NodeSelectorTerm, PodSpec } from "../objects.ts";

/** A node as selectors see it. */
export interface Selectable {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** Names of the labels that a pod's selectors look at. */
export function selectorKeys(spec: PodSpec): readonly string[] {
  const expressions = termsOf(spec)?.flatMap((term) => term.matchExpressions ?? []) ?? [];
  return [...Object.keys(spec.nodeSelector ?? {}), ...expressions.map(({ key }) => key)];
}

/** Why a pod may not be put on a node by its own selectors; undefined when it may. */
export function selectorMismatch(spec: PodSpec, node: Selectable): string | undefined {
  for (const [key, value] of Object.entries(spec.nodeSelector ?? {})) {
    if (node.labels[key] !== value) {
      return `the job wants label ${key}=${value}, the node has ${shown(node.labels[key])}`;
    }
  }
  const terms = termsOf(spec);
  if (terms === undefined || terms.some((term) => termMatches(term, node))) return undefined;
  return "the job's node affinity does not match the node";
}

function termsOf(spec: PodSpec): readonly NodeSelectorTerm[] | undefined {
  return spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
    ?.nodeSelectorTerms;
}

/** All of a term must hold; a term without requirements matches nothing. */
function termMatches(term: NodeSelectorTerm, node: Selectable): boolean {
  const expressions = term.matchExpressions ?? [];
  const fields = term.matchFields ?? [];
  if (expressions.length + fields.length === 0) return false;
  return (
    expressions.every((one) => requirementHolds(one, node.labels[one.key])) &&
    fields.every((one) => one.key === "metadata.name" && requirementHolds(one, node.name))
  );
}

function requirementHolds(
  { operator, values = [] }: NodeRequirement,
  actual: string | undefined,
): boolean {
  switch (operator) {
    case "In":
      return actual !== undefined && values.includes(actual);
    case "NotIn":
      return actual === undefined || !values.includes(actual);
    case "Exists":
      return actual !== undefined;
    case "DoesNotExist":
      return actual === undefined;
    case "Gt":
      return comparable(actual) && Number(actual) > Number(values[0]);
    case "Lt":
      return comparable(actual) && Number(actual) < Number(values[0]);
    default:
      return false;
  }
}

function comparable(text: string | undefined): boolean {
  return text !== undefined && /^[+-]?\d+$/.test(text);
}

function shown(value: string | undefined): string {
  if (value === undefined) return "none";
  return value === "" ? "an empty one" : value;
}
