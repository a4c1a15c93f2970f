import { TesseraError } from "../../platform/errors/index.ts";
import type { KubeObject } from "../../platform/kube/index.ts";

/** Labels that controllers give to each pod or each generation of pods. */
const passing = new Set([
  "pod-template-hash",
  "controller-revision-hash",
  "statefulset.kubernetes.io/pod-name",
  "apps.kubernetes.io/pod-index",
  "batch.kubernetes.io/job-completion-index",
]);

/**
 * Labels that select the pods whose names begin with a prefix, and no others of the namespace.
 *
 * @throws TesseraError E_HW_REFUSED when there are no such pods, or no labels tell them from others.
 */
export function selectorOfPrefix(
  pods: readonly KubeObject[],
  prefix: string,
): Readonly<Record<string, string>> {
  const isMeant = ({ metadata }: KubeObject) => metadata.name?.startsWith(prefix) === true;
  const refused = (problem: string) =>
    new TesseraError("E_HW_REFUSED", { what: `A partition of the pods ${prefix}*`, problem });
  const [first, ...others] = pods.filter(isMeant);
  if (first === undefined) throw refused("there is no such pod");
  const shared = Object.entries(first.metadata.labels ?? {}).filter(
    ([key, value]) =>
      !passing.has(key) && others.every(({ metadata }) => metadata.labels?.[key] === value),
  );
  if (shared.length === 0) throw refused("they have no label in common");
  const also = pods.filter(
    (pod) => !isMeant(pod) && shared.every(([key, value]) => pod.metadata.labels?.[key] === value),
  );
  if (also.length > 0) {
    const names = also.slice(0, 3).map(({ metadata }) => metadata.name);
    throw refused(
      `their labels would also cut off ${names.join(", ")}${also.length > 3 ? " and others" : ""}`,
    );
  }
  return Object.fromEntries(shared);
}
