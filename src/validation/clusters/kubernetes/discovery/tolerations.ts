import type { Taint, Toleration } from "../objects.ts";

/** Taints that keep a pod away from a node. The third effect only makes it less liked. */
export const repellingEffects = ["NoSchedule", "NoExecute"] as const;

/** Kubernetes' rule: an empty effect, an empty key with `Exists` match anything. */
export function tolerates(toleration: Toleration, taint: Taint): boolean {
  const { effect = "", key = "", operator = "", value = "" } = toleration;
  if (effect !== "" && effect !== taint.effect) return false;
  if (key !== "" && key !== taint.key) return false;
  if (operator === "Exists") return true;
  return (operator === "" || operator === "Equal") && value === (taint.value ?? "");
}

/** The taints that keep a pod with these tolerations away. */
export function untolerated(
  taints: readonly Taint[],
  tolerations: readonly Toleration[],
): readonly Taint[] {
  return taints.filter(
    (taint) =>
      (repellingEffects as readonly string[]).includes(taint.effect) &&
      !tolerations.some((toleration) => tolerates(toleration, taint)),
  );
}

/** `key=value:NoSchedule`, as kubectl writes it. */
export function taintText({ key, value = "", effect }: Taint): string {
  return `${key}${value === "" ? "" : `=${value}`}:${effect}`;
}
