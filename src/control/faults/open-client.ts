import { readFile } from "node:fs/promises";
import { createFaultClient, type FaultClient } from "../../hardware/client/index.ts";
import { TesseraError } from "../../platform/errors/index.ts";
import type { ServiceContext } from "../service.ts";

/** Where Kubernetes puts a pod's own token. */
const ownTokenFile = "/var/run/secrets/kubernetes.io/serviceaccount/token";

export interface OpenedFaultApi {
  readonly client: FaultClient;
  readonly url: string;
}

/** A client for the fault API of the configuration; undefined where it names none. */
export function openFaultApi({
  config,
  clock,
}: Pick<ServiceContext, "config" | "clock">): OpenedFaultApi | undefined {
  const { faultApiUrl: url, tokenFile = ownTokenFile } = config.hardware ?? {};
  if (url === undefined) return undefined;
  // Asked for anew for each call: Kubernetes renews tokens.
  const token = async () => {
    try {
      return (await readFile(tokenFile, "utf8")).trim();
    } catch (cause) {
      const problem = "the file with its token cannot be read";
      throw new TesseraError("E_HW_API_UNREACHABLE", { where: url, problem }, { cause });
    }
  };
  return { url, client: createFaultClient({ url, token, clock }) };
}

/** @throws E_HW_NOT_CONFIGURED */
export function required(api: OpenedFaultApi | undefined): OpenedFaultApi {
  if (api !== undefined) return api;
  throw new TesseraError("E_HW_NOT_CONFIGURED", {});
}
