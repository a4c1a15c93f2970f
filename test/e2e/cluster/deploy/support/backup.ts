import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Cluster } from "../../../../cluster/fixture.ts";
import { repositoryRoot } from "../../../../cluster/machine/repository.ts";
import { namespace } from "./release.ts";

const folder = "/var/lib/tessera";

/** Copies the store while it is in use, as docs/operations.md says; returns the copy as base64. */
export async function backUp(cluster: Cluster): Promise<string> {
  const inPod = (...command: readonly string[]) =>
    cluster.kubectl(["-n", namespace, "exec", "deploy/tessera", "--", ...command]);
  const config = ["--config", "/etc/tessera/config/tessera.yaml"];
  const copy = `${folder}/backup.db`;
  await inPod("node", "/app/tessera.mjs", "store", "backup", copy, ...config);
  // As text: what kubectl prints is read as such here.
  const script = `process.stdout.write(require("fs").readFileSync("${copy}").toString("base64"))`;
  const text = await inPod("node", "-e", script);
  await inPod("rm", copy);
  return text;
}

/** Puts a copy in the place of the store, as docs/operations.md says. */
export async function restore(cluster: Cluster, copy: string): Promise<void> {
  const kubectl = (args: readonly string[], input?: string) =>
    cluster.kubectl(["-n", namespace, ...args], {
      timeoutMs: 180_000,
      ...(input === undefined ? {} : { input }),
    });
  const selector = "app.kubernetes.io/component=control-plane";
  await kubectl(["scale", "deploy/tessera", "--replicas=0"]);
  await kubectl(["wait", "--for=delete", "pod", "-l", selector, "--timeout=120s"]);
  const manifest = readFileSync(join(repositoryRoot(), "deploy/tessera/restore-pod.yaml"), "utf8");
  const image = "docker.io/library/tessera:test\n      imagePullPolicy: Never";
  await cluster.apply(manifest.replace("registry.example/tessera:1.0", image));
  await kubectl(["wait", "--for=condition=Ready", "pod/tessera-restore", "--timeout=120s"]);
  const decode = `let text = ""; process.stdin.on("data", (part) => (text += part)).on("end", () =>
    require("fs").writeFileSync("${folder}/restored.db", Buffer.from(text, "base64"), { mode: 0o600 }))`;
  await kubectl(["exec", "-i", "tessera-restore", "--", "node", "-e", decode], copy);
  const place = `cd ${folder} && rm -f tessera.db-wal tessera.db-shm && mv restored.db tessera.db`;
  await kubectl(["exec", "tessera-restore", "--", "sh", "-c", place]);
  await kubectl(["delete", "pod", "tessera-restore", "--grace-period=1"]);
  await kubectl(["scale", "deploy/tessera", "--replicas=1"]);
  await kubectl(["rollout", "status", "deploy/tessera", "--timeout=150s"]);
}
