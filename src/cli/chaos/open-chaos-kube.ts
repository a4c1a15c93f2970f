import type { Invocation } from "../invocation.ts";
import { type OpenedKube, openKube } from "../open-kube.ts";

/** A client for the cluster of the configuration with the rights that experiments have there. */
export async function openChaosKube(invocation: Invocation): Promise<OpenedKube> {
  const { values } = await invocation.config();
  const { actAs } = values.experiments;
  return await openKube(invocation, actAs === undefined ? {} : { actAs });
}
