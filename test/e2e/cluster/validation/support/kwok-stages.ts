/** On a node: KWOK plays one whose kubelet says that it is not ready. */
export const brokenLabel = "tessera.test/broken";

/**
 * How KWOK plays nodes and pods here, as its `--config`. A node is ready, or not where its label says
 * so. A pod runs as soon as it has a node, and goes when it is deleted. KWOK's own stages also end
 * the pods of jobs at once; here the test ends them, so that it decides how long each runs.
 */
export const kwokStages = [
  stage("node-ready", "Node", [broken("DoesNotExist"), readyIs("NotIn")], ready("True", "")),
  stage("node-broken", "Node", [broken("Exists"), readyIs("In")], ready("False", "fans stopped")),
  stage("pod-runs", "Pod", [deleted("DoesNotExist"), isPending()], running()),
  stage("pod-goes", "Pod", [deleted("Exists")], { finalizers: { empty: true }, delete: true }),
]
  .map((value) => JSON.stringify(value))
  .join("\n---\n");

type Presence = "Exists" | "DoesNotExist";

function stage(name: string, kind: string, matchExpressions: readonly object[], next: object) {
  return {
    apiVersion: "kwok.x-k8s.io/v1alpha1",
    kind: "Stage",
    metadata: { name },
    spec: { resourceRef: { apiGroup: "v1", kind }, selector: { matchExpressions }, next },
  };
}

function broken(operator: Presence): object {
  return { key: `.metadata.labels["${brokenLabel}"]`, operator };
}

function deleted(operator: Presence): object {
  return { key: ".metadata.deletionTimestamp", operator };
}

function readyIs(operator: "In" | "NotIn"): object {
  const key = '.status.conditions.[] | select( .type == "Ready" ) | .status';
  return { key, operator, values: ["True"] };
}

function isPending(): object {
  return { key: ".status.phase", operator: "In", values: ["Pending"] };
}

function ready(status: "True" | "False", message: string): object {
  const statusTemplate = `
conditions:
- type: Ready
  status: "${status}"
  reason: Played
  message: "${message}"
  lastHeartbeatTime: {{ Now | Quote }}
  lastTransitionTime: {{ Now | Quote }}
`;
  return { statusTemplate };
}

function running(): object {
  const statusTemplate = `
phase: Running
startTime: {{ Now | Quote }}
conditions:
- type: Ready
  status: "True"
  lastTransitionTime: {{ Now | Quote }}
containerStatuses:
{{ range .spec.containers }}
- name: {{ .name | Quote }}
  image: {{ .image | Quote }}
  imageID: ""
  ready: true
  restartCount: 0
  state:
    running:
      startedAt: {{ Now | Quote }}
{{ end }}
`;
  return { statusTemplate };
}
