import type { Rendered, Rule } from "./helm.ts";

/** `patch nodes`, `create jobs.batch in gpu-jobs`; one for each verb. */
export function namesOf(rules: readonly Rule[], namespace: string | undefined): string[] {
  return rules.flatMap(({ apiGroups, resources, verbs, resourceNames = [] }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        verbs.map((verb) => {
          const type = group === "" ? resource : `${resource}.${group}`;
          const where = namespace === undefined ? "" : ` in ${namespace}`;
          return [`${verb} ${type}${where}`, ...resourceNames].join(" ");
        }),
      ),
    ),
  );
}

/** All that an account may do, by the roles that are bound to it. */
export function heldBy(objects: readonly Rendered[], account: string): string[] {
  return objects
    .filter(({ subjects = [] }) => subjects.some(({ name }) => name === account))
    .flatMap(({ roleRef, metadata }) => {
      const role = objects.find(
        (one) =>
          one.kind === roleRef?.kind &&
          one.metadata.name === roleRef.name &&
          (one.kind === "ClusterRole" || one.metadata.namespace === metadata.namespace),
      );
      return namesOf(role?.rules ?? [], metadata.namespace);
    })
    .toSorted();
}
