import type { ResolvedKubernetesSettings } from "../settings.ts";
import type { JobTemplate } from "../template/job-template.ts";
import type { Amounts, Relevant } from "./amounts.ts";
import { gpuResourceTest } from "./gpu-resources.ts";
import type { JobNeeds } from "./job-needs.ts";
import { selectorKeys } from "./node-affinity.ts";
import { podRequests } from "./pod-requests.ts";

/** What jobs of a template need, and what must be known of nodes and pods to tell who has it. */
export interface Requirements {
  readonly needs: JobNeeds;
  readonly relevant: Relevant;
  readonly labelKeys: readonly string[];
}

/** Works out from the template itself what its jobs need: a user may have changed anything in it. */
export function needsOfTemplate(
  template: JobTemplate,
  settings: ResolvedKubernetesSettings,
): Requirements {
  const isGpu = gpuResourceTest(settings);
  const byGpus = new Map<number, Amounts>();
  const requests = (gpus: number) => {
    const known = byGpus.get(gpus);
    if (known !== undefined) return known;
    const counted = podRequests({ spec: template.podSpec({ node: "sample", gpus }) }, () => true);
    byGpus.set(gpus, counted);
    return counted;
  };
  const sample = template.podSpec({ node: "sample", gpus: 1 });
  const asked = new Set(Object.keys(requests(1)));
  return {
    needs: {
      requests,
      tolerations: sample.tolerations ?? [],
      selectors: template.selectors,
      gpuResource: settings.gpuResource,
      isGpu,
      excludedNodes: new Set(settings.excludedNodes),
    },
    relevant: (resource) => asked.has(resource) || isGpu(resource),
    labelKeys: [...new Set(selectorKeys(sample))],
  };
}
