import {
  defaultJobTemplate,
  defaultVolcanoTemplate,
  kubernetesRights,
  placeholders,
} from "../../src/validation/clusters/kubernetes/index.ts";
import { code, table } from "./markdown.ts";

/** The tables of docs/kubernetes.md: rights, placeholders, and the templates that come with Tessera. */
export function kubernetesReference(): string {
  const rights = kubernetesRights.map(({ role, type, verbs, scope, volcano, why }) => [
    role,
    code(type.group === "" ? type.plural : `${type.plural}.${type.group}`),
    verbs.join(", "),
    scope === "cluster" ? "ClusterRole" : "Role in the jobs' namespace",
    volcano === true ? `${why} (Volcano only)` : why,
  ]);
  const names = Object.entries(placeholders).map(([name, placeholder]) => [
    code(`{{${name}}}`),
    placeholder.kind,
    "required" in placeholder ? "required" : "optional" in placeholder ? "may have no value" : "",
    placeholder.what,
  ]);
  return `## Rights

${table(["role", "resource", "verbs", "where", "what for"], rights)}
## Placeholders of a template

${table(["placeholder", "kind", "", "what it stands for"], names)}
## The templates that come with Tessera

\`\`\`yaml
${defaultJobTemplate.trimEnd()}
\`\`\`

\`\`\`yaml
${defaultVolcanoTemplate.trimEnd()}
\`\`\`
`;
}
