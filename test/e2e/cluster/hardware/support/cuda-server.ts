import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Cluster } from "../../../../cluster/fixture.ts";
import { runChecked } from "../../../../cluster/machine/run.ts";

const native = join(import.meta.dirname, "native");
const stubs = join(import.meta.dirname, "../../../../support/fake-cuda-shim/native");

export const serverPort = 8000;

/** Compiles the server and the CUDA it is linked against into a folder that pods can mount. */
export async function buildCudaServer(cluster: Cluster): Promise<string> {
  const folder = join(cluster.volumesDir, "cuda-server");
  mkdirSync(folder, { recursive: true });
  const gcc = (...args: string[]) => runChecked("gcc", ["-O1", ...args], { cwd: folder });
  const shared = ["-shared", "-fPIC"];
  await gcc(
    ...shared,
    "-Wl,-soname,libcuda.so.1",
    "-o",
    "libcuda.so.1",
    join(stubs, "stub-driver.c"),
  );
  await gcc(
    ...shared,
    "-Wl,-soname,libcudart.so.13",
    "-o",
    "libcudart.so.13",
    join(stubs, "stub-runtime.c"),
    "-L.",
    "-l:libcuda.so.1",
    "-Wl,-rpath,$ORIGIN",
  );
  await gcc(
    "-o",
    "cuda-server",
    join(native, "cuda-server.c"),
    "-L.",
    "-l:libcudart.so.13",
    "-l:libcuda.so.1",
    "-Wl,-rpath,$ORIGIN",
  );
  chmodSync(join(folder, "cuda-server"), 0o755);
  return folder;
}

/** A Deployment of the server, each pod with a GPU. */
export function serverDeployment(
  namespace: string,
  folder: string,
  options: { readonly replicas?: number } = {},
): object {
  const labels = { app: "server" };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "server", namespace },
    spec: {
      replicas: options.replicas ?? 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          terminationGracePeriodSeconds: 1,
          automountServiceAccountToken: false,
          containers: [
            {
              name: "server",
              image: "tessera:test",
              imagePullPolicy: "Never",
              command: ["/opt/server/cuda-server", String(serverPort)],
              resources: { limits: { "nvidia.com/gpu": "1" } },
              readinessProbe: {
                httpGet: { path: "/ready", port: serverPort },
                periodSeconds: 1,
                failureThreshold: 1,
              },
              volumeMounts: [{ name: "server", mountPath: "/opt/server", readOnly: true }],
            },
          ],
          volumes: [{ name: "server", hostPath: { path: folder, type: "Directory" } }],
        },
      },
    },
  };
}
