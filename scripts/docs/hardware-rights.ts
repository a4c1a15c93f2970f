import {
  type HardwareRight,
  hardwareRights,
  type RightHolder,
} from "../../src/hardware/deployment/index.ts";
import { code, table } from "./markdown.ts";

const holders: readonly (readonly [RightHolder, title: string, about: string])[] = [
  [
    "api",
    "The fault API",
    "Service account `tessera-fault-api`. Its container runs as nobody, without any capability.",
  ],
  [
    "agent",
    "The agent",
    "Service account `tessera-agent`. An admission policy lets a token change only the node that its pod runs on. Its container has the capability SYSLOG and no other; the plugin beside it, which gives it the kernel log, has none and no token.",
  ],
  [
    "runner",
    "Somebody who tests",
    "ClusterRole `tessera-hardware-runner`, bound in the namespaces that they may test; `tessera-hardware-runner-nodes`, bound in the cluster; Role `tessera-hardware-runner-access`, bound where Tessera is installed.",
  ],
  [
    "injector",
    "The control plane",
    "ClusterRole `tessera-hardware-injector`, which the chart binds in `injection.namespaces`.",
  ],
  ["viewer", "Somebody who looks", "ClusterRole `tessera-hardware-viewer`."],
  [
    "auditor",
    "Somebody who reads the audit log",
    "ClusterRole `tessera-hardware-auditor`; bound where Tessera is installed it is for the log of all namespaces.",
  ],
];

const places = {
  cluster: "the cluster",
  installation: "where Tessera is installed",
  "under-test": "namespaces under test",
} as const;

/** docs/hardware-rights.md: who may do what in an installation, and what for. */
export function hardwareRightsPage(): string {
  const sections = holders.map(([holder, title, about]) => {
    const rights = hardwareRights.filter((right) => right.holder === holder);
    return `## ${title}\n\n${about}\n\n${table(["where", "what", "verbs", "what for"], rights.map(row))}`;
  });
  return `# Rights of hardware fault testing

Every right that the roles of \`deploy/hardware\` give, and what it is for. No container is privileged,
nothing listens beyond the loopback address of its pod, and nobody but the fault API may make a fault.
The verbs \`plan\`, \`inject\`, \`renew\`, \`revert\`, \`read\` and \`audit\` are none of the API server's own:
the fault API asks it for them with every call, and whoever lacks one is refused and written down.

${sections.join("\n")}`;
}

function row({ scope, resource, name, verbs, why, drainOnly }: HardwareRight): readonly string[] {
  const what = name === undefined ? code(resource) : `${code(resource)} named ${code(name)}`;
  const only = drainOnly === true ? "; only where our own detector drains" : "";
  return [places[scope], what, verbs.map((verb) => code(verb)).join(" "), `${why}${only}`];
}
