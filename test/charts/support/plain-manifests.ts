import { renderText, type Values } from "./helm.ts";

/** What the files of deploy/tessera are rendered for; a real installation changes these. */
const shipped: Values = {
  image: { repository: "registry.example/tessera", tag: "1.0" },
  // Helm would make a token anew each time it renders.
  adminToken: { existingSecret: "tessera-admin" },
  validation: { image: "registry.example/tessera-node:1.0", namespace: "tessera-jobs" },
};

const postgres = { engine: "postgres", postgres: { existingSecret: "tessera-store" } };

/** The plain manifests: the chart's objects for those who do not use Helm. */
export const plainManifests: readonly { readonly path: string; render(): string }[] = [
  {
    path: "deploy/tessera/sqlite.yaml",
    render: () => manifest("One replica, history in a file on a volume.", shipped),
  },
  {
    path: "deploy/tessera/postgres.yaml",
    render: () =>
      manifest("Two replicas, of which one leads, history in PostgreSQL.", {
        ...shipped,
        store: postgres,
      }),
  },
];

function manifest(about: string, values: Values): string {
  const text = renderText(values)
    .replaceAll(/^# Source: .*\n/gm, "")
    .replaceAll(/^ *(helm\.sh\/chart|app\.kubernetes\.io\/managed-by): .*\n/gm, "");
  const namespaces = ["tessera", "tessera-jobs"].map(namespaceText);
  const notice = `# ${about}\n# Rendered from charts/tessera by \`npm run chart\`; docs/operations.md says how to use it.\n`;
  return `${notice}${namespaces.join("")}${text}`;
}

function namespaceText(name: string): string {
  return `---
apiVersion: v1
kind: Namespace
metadata:
  name: ${name}
  labels:
    # No pod here takes over its node, whoever makes it.
    pod-security.kubernetes.io/enforce: restricted
`;
}
