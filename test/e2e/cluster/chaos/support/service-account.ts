import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import type { Cluster } from "../../../../cluster/fixture.ts";
import { ledgerFolder } from "./workers.ts";

const examples = join(import.meta.dirname, "../../../../../examples/chaos/kubernetes");

export interface RoleRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}
export interface RoleObject {
  readonly kind: string;
  readonly rules: readonly RoleRule[];
}

/** The objects of an example's manifest. */
export function manifestOf(file: string): readonly object[] {
  const documents = parseAllDocuments(readFileSync(join(examples, file), "utf8"));
  return documents.map((document) => document.toJS() as object);
}

export function examplePath(file: string): string {
  return join(examples, file);
}

/** The roles among objects. */
export function rolesOf(objects: readonly object[]): readonly RoleObject[] {
  return objects.filter((one): one is RoleObject => "rules" in one);
}

/** Each right of a role, and the role without it. */
export function* withoutEach(
  role: RoleObject,
): Generator<{ readonly resource: string; readonly verb: string; readonly left: RoleObject }> {
  for (const [at, { resources, verbs }] of role.rules.entries()) {
    for (const verb of verbs) {
      const rules = role.rules.map((rule, place) =>
        place === at ? { ...rule, verbs: rule.verbs.filter((one) => one !== verb) } : rule,
      );
      const left = { ...role, rules: rules.filter((rule) => rule.verbs.length > 0) };
      yield { resource: resources.join(), verb, left };
    }
  }
}

/** A kubeconfig with nothing but the token of a service account. */
export async function kubeconfigOf(
  cluster: Cluster,
  account: { readonly name: string; readonly namespace: string },
): Promise<string> {
  const { name, namespace } = account;
  const token = await cluster.kubectl(["-n", namespace, "create", "token", name]);
  const view = ["config", "view", "--raw", "--minify", "-o", "json"];
  const config = JSON.parse(await cluster.kubectl(view)) as {
    readonly clusters: readonly { readonly name: string }[];
  };
  const path = join(ledgerFolder(), "kubeconfig.json");
  const text = JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: config.clusters,
    users: [{ name, user: { token: token.trim() } }],
    contexts: [
      { name, context: { cluster: config.clusters[0]?.name ?? "", user: name, namespace } },
    ],
    "current-context": name,
  });
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}
