import type { NodeObject } from "../../../../../src/hardware/objects/index.ts";
import {
  type KubeClient,
  type KubeObject,
  resourceTypes,
  updateWithRetry,
} from "../../../../../src/platform/kube/index.ts";
import { clock, random } from "../../kube/support/connect.ts";
import { type Deployment, deployments, type Surface, someone, workload } from "./surface.ts";

const patient = { clock, random, attemptsMax: 50 };

/** An edit of workload and node by somebody who knows nothing of the test. */
export interface Edit {
  readonly node: string;
  /** Every edit adds something of its own. */
  readonly name: string;
}

/** Makes the edit in the cluster. */
export async function makeEdit(client: KubeClient, { node, name }: Edit): Promise<void> {
  const change = (found: Deployment) => withVariable(withMarks(found, name), name);
  await updateWithRetry<Deployment>(client, deployments, workload, change, patient);
  const label = (found: NodeObject) => withMarks(found, name);
  await updateWithRetry<NodeObject>(client, resourceTypes.nodes, { name: node }, label, patient);
}

/** What the cluster must be once the test is gone and the edit is not. */
export function withEdit(surface: Surface, { node, name }: Edit): Surface {
  const { nodes, workload: before } = surface;
  const found = nodes[node];
  if (found === undefined) throw new Error(`there is no ${node}`);
  const { spec } = withVariable({ metadata: {}, spec: before.spec }, name);
  return {
    nodes: { ...nodes, [node]: { ...found, ...marked(found, name) } },
    workload: { ...before, ...marked(before, name), spec },
  };
}

/** A person closes or opens a node, as `kubectl cordon` does. */
export async function setClosed(client: KubeClient, node: string, closed: boolean): Promise<void> {
  const merge = { spec: { unschedulable: closed ? true : null } };
  await client.patch(resourceTypes.nodes, { name: node }, { merge });
}

/** What the cluster must be when a person has closed a node of it. */
export function withClosed(surface: Surface, node: string): Surface {
  const found = surface.nodes[node];
  if (found === undefined) throw new Error(`there is no ${node}`);
  return {
    ...surface,
    nodes: { ...surface.nodes, [node]: { ...found, unschedulable: true } },
  };
}

function withMarks<T extends KubeObject>(object: T, name: string): T {
  return { ...object, metadata: { ...object.metadata, ...marked(object.metadata, name) } };
}

function marked(
  { labels = {}, annotations = {} }: Pick<KubeObject["metadata"], "labels" | "annotations">,
  name: string,
) {
  const key = `${someone}${name}`;
  return { labels: { ...labels, [key]: "here" }, annotations: { ...annotations, [key]: "here" } };
}

function withVariable(object: Deployment, name: string): Deployment {
  const { template } = object.spec;
  const [first, ...rest] = template.spec.containers;
  if (first === undefined) throw new Error("there is no container");
  const variable = { name: `SOMEONE_${name.toUpperCase().replaceAll("-", "_")}`, value: "here" };
  const container = { ...first, env: [...(first.env ?? []), variable] };
  const spec = { ...template.spec, containers: [container, ...rest] };
  return { ...object, spec: { ...object.spec, template: { ...template, spec } } };
}
