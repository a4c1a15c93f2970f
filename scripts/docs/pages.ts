import { apiReference } from "./api.ts";
import { controlPlaneRoutes } from "./api-routes.ts";
import { cliPage } from "./cli.ts";
import { configurationReference } from "./configuration.ts";
import { errorsPage } from "./errors.ts";
import { hardwareManifestPages } from "./hardware-manifests.ts";
import { hardwareRightsPage } from "./hardware-rights.ts";
import { kubernetesReference } from "./kubernetes.ts";
import { metricsPage } from "./metrics.ts";
import { operationsReference } from "./operations.ts";
import { xidReference } from "./xid.ts";

const notice = "<!-- Made from the code's own tables by `npm run docs`. -->\n\n";
const begin = "<!-- reference: made by `npm run docs` -->\n";
const end = "<!-- end of reference -->\n";

const apiRoutes = await controlPlaneRoutes();

/** A page of docs/ that follows from the code. */
export interface Page {
  /** Its path from the repository's root. */
  readonly path: string;
  /** What it should hold, given what it holds. */
  render(current: string): string;
}

export const pages: readonly Page[] = [
  {
    path: "docs/api.md",
    render: (current) => withReference(current, apiReference(apiRoutes)),
  },
  { path: "docs/cli.md", render: () => notice + cliPage() },
  {
    path: "docs/configuration.md",
    render: (current) => withReference(current, configurationReference()),
  },
  { path: "docs/errors.md", render: () => notice + errorsPage() },
  {
    path: "docs/kubernetes.md",
    render: (current) => withReference(current, kubernetesReference()),
  },
  {
    path: "docs/operations.md",
    render: (current) => withReference(current, operationsReference()),
  },
  { path: "docs/metrics.md", render: () => notice + metricsPage() },
  { path: "docs/xid.md", render: (current) => withReference(current, xidReference()) },
  { path: "docs/hardware-rights.md", render: () => notice + hardwareRightsPage() },
  ...hardwareManifestPages,
];

/** What people wrote around the reference stays. */
function withReference(current: string, reference: string): string {
  const from = current.indexOf(begin);
  const to = current.indexOf(end);
  if (from === -1 || to < from) throw new Error("the page has lost its markers");
  return `${current.slice(0, from)}${begin}\n${reference}\n${current.slice(to)}`;
}
