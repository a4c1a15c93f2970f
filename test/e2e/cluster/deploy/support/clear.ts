import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Cluster } from "../../../../cluster/fixture.ts";
import { repositoryRoot } from "../../../../cluster/machine/repository.ts";
import { waitUntil } from "../../../../support/wait-until.ts";
import { install, namespace, testValues } from "./release.ts";

/**
 * Stops the loop and takes its marks off the nodes, as docs/operations.md says.
 *
 * @returns what the command says
 */
export async function clearNodes(cluster: Cluster): Promise<string> {
  const kubectl = (...args: readonly string[]) =>
    cluster.kubectl(["-n", namespace, ...args], { timeoutMs: 150_000 });
  const values = testValues();
  const validation = { ...(values["validation"] as object), act: "on" };
  await install(cluster, { ...values, validation, replicas: 0 });
  const selector = "app.kubernetes.io/component=control-plane";
  await kubectl("wait", "--for=delete", "pod", "-l", selector, "--timeout=120s");
  const manifest = readFileSync(join(repositoryRoot(), "deploy/tessera/clear-pod.yaml"), "utf8");
  const image = "docker.io/library/tessera:test\n      imagePullPolicy: Never";
  await cluster.apply(manifest.replace("registry.example/tessera:1.0", image));
  const phase = ["get", "pod", "tessera-clear", "-o", "jsonpath={.status.phase}"];
  const hasEnded = async () => /Succeeded|Failed/.test(await kubectl(...phase));
  await waitUntil("the pod has ended", hasEnded, { timeoutMs: 120_000 });
  const said = await kubectl("logs", "tessera-clear");
  await kubectl("delete", "pod", "tessera-clear");
  return said;
}
