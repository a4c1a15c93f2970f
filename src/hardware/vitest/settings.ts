import { type WorkloadKind, workloadKinds } from "../objects/index.ts";

/** What a test needs to know about the cluster it may break. */
export interface HardwareSettings {
  readonly namespace: string;
  readonly workload: { readonly name: string; readonly kind: WorkloadKind };
  /** Absent: through `kubectl port-forward`. */
  readonly api?: { readonly url: string; readonly token: string };
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** Whether tests may break something, and what; else why not. */
export type SettingsFound =
  | { readonly enabled: true; readonly settings: HardwareSettings }
  | { readonly enabled: false; readonly reason: string };

/** What a variable is called, and the flag of `tessera hw test` that says the same. */
const variables = {
  enabled: { name: "TESSERA_ENABLE_HW_FAULTS", flag: "--enable-hw-faults" },
  namespace: { name: "TESSERA_HW_NAMESPACE", flag: "--namespace" },
  deployment: { name: "TESSERA_HW_DEPLOYMENT", flag: "--deployment" },
  kind: { name: "TESSERA_HW_KIND", flag: "--kind" },
  url: { name: "TESSERA_FAULT_API_URL", flag: "--api-url" },
  token: { name: "TESSERA_FAULT_API_TOKEN", flag: "" },
  context: { name: "TESSERA_HW_CONTEXT", flag: "--context" },
} as const;

/**
 * Reads what the environment says. Nothing is broken by chance: without the switch, or with anything
 * missing, tests are skipped and the reason says what to set.
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>): SettingsFound {
  const value = (key: keyof typeof variables) => env[variables[key].name] || undefined;
  if (!["1", "true"].includes(value("enabled") ?? "")) {
    return off(`they break what they are aimed at; set ${variables.enabled.name}=1 to run them`);
  }
  const [namespace, name, kind = "deployment"] = [
    value("namespace"),
    value("deployment"),
    value("kind"),
  ];
  if (namespace === undefined) return off(`${variables.namespace.name} is not set`);
  if (name === undefined) return off(`${variables.deployment.name} is not set`);
  if (!isKind(kind)) return off(`${variables.kind.name} must be one of ${kinds.join(", ")}`);
  const [url, token] = [value("url"), value("token")];
  if (url !== undefined && token === undefined) {
    return off(`${variables.url.name} is set, but ${variables.token.name} is not`);
  }
  const [kubeconfig, context] = [env["KUBECONFIG"], value("context")];
  return {
    enabled: true,
    settings: {
      namespace,
      workload: { name, kind },
      ...(url === undefined || token === undefined ? {} : { api: { url, token } }),
      ...(kubeconfig === undefined ? {} : { kubeconfig }),
      ...(context === undefined ? {} : { context }),
    },
  };
}

/** What the fixture does: hands the settings on, or has the test skipped with the reason. */
export async function useSettings(
  context: {
    readonly hwEnvironment: Readonly<Record<string, string | undefined>>;
    readonly skip: (reason: string) => never;
  },
  use: (settings: HardwareSettings) => Promise<void>,
): Promise<void> {
  const found = readSettings(context.hwEnvironment);
  if (!found.enabled) context.skip(found.reason);
  else await use(found.settings);
}

function off(why: string): SettingsFound {
  return { enabled: false, reason: `hardware faults are not enabled: ${why}` };
}

/** A custom resource needs more than a word. */
const kinds = workloadKinds.filter((kind) => kind !== "custom");

function isKind(word: string): word is (typeof kinds)[number] {
  return kinds.some((kind) => kind === word);
}
