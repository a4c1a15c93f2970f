import { messageOf, TesseraError } from "../../platform/errors/index.ts";
import { createKubeClient, type KubeClient, loadKubeConfig } from "../../platform/kube/index.ts";
import { createRng, type RngStream, randomSeed } from "../../platform/rng/index.ts";
import { type Clock, createRealClock } from "../../platform/time/index.ts";
import { createClusterPort } from "./cluster-port.ts";
import { disposeAll } from "./dispose-all.ts";
import type { FaultService } from "./fault-service.ts";
import type { FaultApiChoice, ManagedDeploymentOptions, OpenedHarness } from "./options.ts";

/** Something that is open, and how to close it. */
interface Opened<T> {
  readonly value: T;
  close(): Promise<void>;
}

const closeNothing = async () => {};

/** Opens what a test needs: the cluster, and the fault API where faults are enabled. */
export async function openHarness(options: ManagedDeploymentOptions): Promise<OpenedHarness> {
  const { clock = createRealClock() } = options;
  const random = createRng(randomSeed()).stream("hardware test");
  const kube = await openKube(options, { clock, random });
  const client = kube.value;
  try {
    const faults =
      options.enableHwFaults === true ? await openFaults(options, { clock, client }) : undefined;
    return {
      client,
      cluster: (workload) => createClusterPort({ client, workload, clock, random }),
      faults: faults?.value,
      clock,
      run: `hw-${Buffer.from(random.bytes(5)).toString("hex")}`,
      close: () => disposeAll([async () => faults?.close(), () => kube.close()]),
    };
  } catch (error) {
    await kube.close();
    throw error;
  }
}

async function openKube(
  options: ManagedDeploymentOptions,
  about: { readonly clock: Clock; readonly random: RngStream },
): Promise<Opened<KubeClient>> {
  if (options.client !== undefined) return { value: options.client, close: closeNothing };
  const { kubeconfig, context, namespace } = options;
  const { clock, random } = about;
  const config = await loadKubeConfig({
    ...(kubeconfig === undefined ? {} : { path: kubeconfig }),
    ...(context === undefined ? {} : { context }),
    namespace,
    env: process.env,
    clock,
  });
  const client = createKubeClient({ config, clock, random });
  return { value: client, close: async () => client.close() };
}

async function openFaults(
  options: ManagedDeploymentOptions,
  about: { readonly clock: Clock; readonly client: KubeClient },
): Promise<Opened<FaultService>> {
  const { api = { portForward: {} } satisfies FaultApiChoice } = options;
  if ("inject" in api) return { value: api, close: closeNothing };
  const { clock, client } = about;
  const { createFaultClient, openPortForward } = await import("../client/index.ts");
  if ("url" in api) {
    return { value: createFaultClient({ ...api, clock }), close: closeNothing };
  }
  const token = api.token ?? (() => tokenOf(client));
  const { kubeconfig, context } = options;
  const forward = await openPortForward({
    clock,
    namespace: "tessera-hardware",
    ...api.portForward,
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined ? {} : { context }),
  });
  const value = createFaultClient({ url: forward.address, token, clock });
  return { value, close: async () => forward[Symbol.asyncDispose]() };
}

/** The bearer token that the API server knows the caller by. The fault API knows nothing else. */
async function tokenOf(client: KubeClient): Promise<string> {
  const what = "The connection to the fault API";
  const { authorization = "" } = await client.config.credentials.get().catch((error: unknown) => {
    throw new TesseraError("E_HW_FAILED", { what, problem: messageOf(error) }, { cause: error });
  });
  const token = /^Bearer (.+)$/.exec(authorization)?.[1];
  if (token !== undefined) return token;
  const problem =
    "the kubeconfig has no token, only a certificate; give one (`kubectl create token`)";
  throw new TesseraError("E_HW_FAILED", { what, problem });
}
