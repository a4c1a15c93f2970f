import { kubernetesRights } from "../../src/validation/clusters/kubernetes/index.ts";
import { code, table } from "./markdown.ts";

/** When the chart makes an account. */
const when = {
  reader: "validation is on",
  submitter: "validation is on",
  cordoner: "`validation.act` is `on`",
} as const;

/** The table of docs/operations.md: who may do what. */
export function operationsReference(): string {
  const rights = kubernetesRights.map(({ role, type, verbs, scope, volcano, why }) => [
    code(`tessera-${role}`),
    when[role],
    code(type.group === "" ? type.plural : `${type.plural}.${type.group}`),
    verbs.join(", "),
    scope === "cluster" ? "the cluster" : "the jobs' namespace",
    volcano === true ? `${why} (Volcano instead of plain Jobs)` : why,
  ]);
  const own = [
    [
      code("tessera"),
      "always",
      code("serviceaccounts"),
      "impersonate",
      "its namespace",
      "being one of the others, each by name",
    ],
    [
      code("tessera"),
      "`server.clusterTokens.enabled`",
      `${code("tokenreviews.authentication.k8s.io")}, ${code("subjectaccessreviews.authorization.k8s.io")}`,
      "create",
      "the cluster",
      "who shows a token, and what they may do",
    ],
    [
      code("tessera-injector"),
      "`injection.enabled`",
      code("hardwarefaults.tessera.dev"),
      "plan, inject, renew, revert, read",
      "`injection.namespaces`",
      "what the fault API asks for (`tessera-hardware-injector`); nothing of the cluster's own",
    ],
  ];
  return `### Every right

${table(["account", "there when", "resource", "verbs", "where", "what for"], [...own, ...rights])}`;
}
