import type { ResolvedKubernetesSettings } from "../settings.ts";

/** Tells the resources whose holder has a GPU. */
export function gpuResourceTest(
  settings: Pick<ResolvedKubernetesSettings, "gpuResource" | "otherGpuResources">,
): (resource: string) => boolean {
  const { gpuResource, otherGpuResources } = settings;
  const names = [...(gpuResource === null ? [] : [gpuResource]), ...otherGpuResources];
  const exact = new Set(names.filter((name) => !name.endsWith("*")));
  const starts = names.filter((name) => name.endsWith("*")).map((name) => name.slice(0, -1));
  return (resource) => exact.has(resource) || starts.some((start) => resource.startsWith(start));
}
