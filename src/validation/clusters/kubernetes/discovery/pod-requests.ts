import type { ContainerObject, ContainerStatus, PodObject, PodSpec } from "../objects.ts";
import { type Amounts, amountsOf, largest, none, type Relevant, sum } from "./amounts.ts";

/** What is known of a pod as far as its requests matter; a template has no status. */
type Requesting = {
  readonly spec?: PodSpec;
  readonly status?: NonNullable<PodObject["status"]>;
};

/**
 * What a pod takes of its node, as kube-scheduler counts it: its containers and sidecars together,
 * or what its init containers need at their height, whichever is more; what is given for the pod
 * as a whole replaces that; the runtime's overhead comes on top. While a pod is resized in place, the most
 * that was asked for or is given counts. Limits stand in for requests that are not given: the API
 * server does so for pods, and templates have not been there yet.
 */
export function podRequests({ spec = {}, status }: Requesting, relevant: Relevant): Amounts {
  const requestsOf = requestReader(status, relevant);
  let together = none;
  for (const container of spec.containers ?? []) {
    together = sum(together, requestsOf(container, true));
  }
  let sidecars = none;
  let height = none;
  for (const container of spec.initContainers ?? []) {
    const isSidecar = container.restartPolicy === "Always";
    const own = requestsOf(container, isSidecar);
    if (isSidecar) {
      together = sum(together, own);
      sidecars = sum(sidecars, own);
    }
    height = largest(height, isSidecar ? sidecars : sum(sidecars, own));
  }
  const counted = { ...largest(together, height), ...ofWholePod(spec, relevant) };
  return sum(counted, amountsOf(spec.overhead, relevant));
}

function requestReader(
  status: Requesting["status"],
  relevant: Relevant,
): (container: ContainerObject, resizable: boolean) => Amounts {
  const given = (container: ContainerObject) => withLimits(container.resources, relevant);
  const statuses = [
    ...(status?.containerStatuses ?? []),
    ...(status?.initContainerStatuses ?? []),
  ].filter((one) => one.resources !== undefined);
  if (statuses.length === 0) return given;
  const infeasible = status?.conditions?.some(
    ({ type, reason }) => type === "PodResizePending" && reason === "Infeasible",
  );
  return (container, resizable) => {
    const found = resizable ? statuses.find((one) => one.name === container.name) : undefined;
    if (found === undefined) return given(container);
    const actual = actualOf(found, relevant);
    return infeasible === true ? actual : largest(given(container), actual);
  };
}

function actualOf(status: ContainerStatus, relevant: Relevant): Amounts {
  return largest(
    amountsOf(status.resources?.requests, relevant),
    amountsOf(status.allocatedResources, relevant),
  );
}

function withLimits(resources: ContainerObject["resources"], relevant: Relevant): Amounts {
  if (resources?.limits === undefined) return amountsOf(resources?.requests, relevant);
  return amountsOf({ ...resources.limits, ...resources.requests }, relevant);
}

/** Only these can be given for a pod as a whole. */
function ofWholePod(spec: PodSpec, relevant: Relevant): Amounts {
  const possible = (name: string) =>
    name === "cpu" || name === "memory" || name.startsWith("hugepages-");
  return withLimits(spec.resources, (name) => possible(name) && relevant(name));
}
