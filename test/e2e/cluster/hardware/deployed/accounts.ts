import { createPrivateKey, sign } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { KubeClient } from "../../../../../src/platform/kube/index.ts";
import type { Cluster } from "../../../../cluster/fixture.ts";
import { connect } from "../../kube/support/connect.ts";

/** A service account. */
export interface Account {
  readonly name: string;
  readonly namespace: string;
}

/** A token of an account, as the API server makes it; `more` are options of `kubectl create token`. */
export async function tokenOf(
  cluster: Cluster,
  { name, namespace }: Account,
  more: readonly string[] = [],
): Promise<string> {
  return (await cluster.kubectl(["-n", namespace, "create", "token", name, ...more])).trim();
}

/** A client that shows this token and nothing else. */
export async function clientWith(cluster: Cluster, token: string): Promise<KubeClient> {
  const headers = { authorization: `Bearer ${token}` };
  return await connect(cluster.kubeconfigPath, () => ({
    credentials: { kind: "token", get: async () => headers, refresh: () => false },
  }));
}

/** A kubeconfig with a token and nothing else. */
export async function kubeconfigWith(
  cluster: Cluster,
  folder: string,
  user: Account & { readonly token: string },
): Promise<string> {
  const { name, namespace, token } = user;
  const view = ["config", "view", "--raw", "--minify", "-o", "json"];
  const { clusters } = JSON.parse(await cluster.kubectl(view)) as {
    readonly clusters: readonly { readonly name: string }[];
  };
  const context = { cluster: clusters[0]?.name ?? "", user: name, namespace };
  const path = join(folder, `${name}.kubeconfig.json`);
  const text = JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters,
    users: [{ name, user: { token } }],
    contexts: [{ name, context }],
    "current-context": name,
  });
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

/**
 * The same token with earlier times, signed with the API server's own key: it makes none itself that
 * live for less than ten minutes.
 */
export function signedAgain(
  cluster: Cluster,
  token: string,
  { earlierSeconds }: { readonly earlierSeconds: number },
): string {
  const [head = "", body = ""] = token.split(".");
  const { alg } = decoded(head) as { readonly alg: string };
  const claims = decoded(body) as Record<"iat" | "nbf" | "exp", number>;
  const { iat, nbf, exp } = claims;
  const times = { iat: iat - earlierSeconds, nbf: nbf - earlierSeconds, exp: exp - earlierSeconds };
  const payload = Buffer.from(JSON.stringify({ ...claims, ...times })).toString("base64url");
  const text = `${head}.${payload}`;
  const key = createPrivateKey(readFileSync(join(cluster.dataDir, "pki", "service-account.key")));
  const options = alg.startsWith("ES") ? { key, dsaEncoding: "ieee-p1363" as const } : key;
  return `${text}.${sign("sha256", Buffer.from(text), options).toString("base64url")}`;
}

function decoded(part: string): unknown {
  return JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
}
