import { quantityToInteger } from "../../platform/kube/index.ts";
import { isFields } from "./json-pointer.ts";

/** Whole GPUs, shared ones, and slices of them, as NVIDIA's device plugin names them. */
const gpuResource = /^nvidia\.com\/(gpu|gpu\.shared|mig-[a-z0-9.]+)$/;

/** Whether a container asks for any GPU. Limits count: for devices they are the requests too. */
export function asksForGpus(container: { readonly resources?: unknown }): boolean {
  const { resources } = container;
  const limits = isFields(resources) ? resources["limits"] : undefined;
  if (!isFields(limits)) return false;
  return Object.entries(limits).some(
    ([name, amount]) => gpuResource.test(name) && (quantityToInteger(String(amount)) ?? 0) > 0,
  );
}
