import {
  type HardwareRight,
  hardwareRights,
  type RightHolder,
  type RightScope,
} from "../../../../../src/hardware/deployment/index.ts";
import type { KubeClient, KubeObject } from "../../../../../src/platform/kube/index.ts";

const rulesReviews = {
  group: "authorization.k8s.io",
  version: "v1",
  plural: "selfsubjectrulesreviews",
  kind: "SelfSubjectRulesReview",
  namespaced: false,
} as const;

interface RulesReview extends KubeObject {
  readonly status?: {
    readonly incomplete: boolean;
    readonly resourceRules: readonly {
      readonly verbs: readonly string[];
      readonly apiGroups: readonly string[];
      readonly resources: readonly string[];
      readonly resourceNames?: readonly string[];
    }[];
  };
}

/** Everything that the bearer of a client's token may do in a namespace: `patch nodes/status`. */
export async function heldRights(
  client: KubeClient,
  namespace: string,
): Promise<ReadonlySet<string>> {
  const asked: KubeObject & { readonly spec: object } = { metadata: {}, spec: { namespace } };
  const { status } = await client.create<RulesReview>(rulesReviews, asked);
  if (status?.incomplete !== false) throw new Error("the API server does not know all rules");
  return new Set(
    status.resourceRules.flatMap(({ verbs, apiGroups, resources, resourceNames = [] }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) =>
          verbs.map((verb) =>
            [verb, group === "" ? resource : `${resource}.${group}`, ...resourceNames].join(" "),
          ),
        ),
      ),
    ),
  );
}

/** The same as the list of rights has it; without what only a detector that drains needs. */
export function listedRights(
  holder: RightHolder,
  scopes: readonly RightScope[],
  options: { readonly drains: boolean },
): ReadonlySet<string> {
  const listed = hardwareRights.filter(
    (right) =>
      right.holder === holder &&
      scopes.includes(right.scope) &&
      (right.drainOnly !== true || options.drains),
  );
  return new Set(listed.flatMap(rightsOf));
}

/** One entry of the list, verb by verb. */
export function rightsOf({ verbs, resource, name }: HardwareRight): readonly string[] {
  return verbs.map((verb) => [verb, resource, ...(name === undefined ? [] : [name])].join(" "));
}
