import assert from "node:assert/strict";

/** What may stand in a template between double braces. */
interface Placeholder {
  readonly what: string;
  /** `text`, `number` and `yes-no` may stand within a text; the others stand alone. */
  readonly kind: "text" | "number" | "yes-no" | "list" | "object";
  /** A template without it cannot work. */
  readonly required?: true;
  /** When it has no value, the entry it stands in is left out. */
  readonly optional?: true;
}

/** Every placeholder; docs/kubernetes.md shows this table. */
export const placeholders = {
  jobName: { what: "the job's name; must be its `metadata.name`", kind: "text", required: true },
  namespace: { what: "the namespace of jobs", kind: "text" },
  runId: { what: "the run's id", kind: "text", required: true },
  cluster: { what: "the cluster's name in the configuration", kind: "text" },
  node: { what: "the node's name; the pod must be bound to it", kind: "text", required: true },
  check: { what: "the check's name", kind: "text" },
  purpose: { what: "routine, retest, acceptance or manual", kind: "text" },
  plannedAt: { what: "when it was planned, Unix time in seconds", kind: "number" },
  image: { what: "the image of the checks", kind: "text" },
  imagePullPolicy: { what: "Always, IfNotPresent or Never", kind: "text" },
  imagePullSecrets: { what: "items for `imagePullSecrets`", kind: "list" },
  command: { what: "the program and its arguments", kind: "list" },
  env: { what: "items for `env`: what the check must know", kind: "list", required: true },
  gpuResource: { what: "the resource that stands for GPUs", kind: "text", optional: true },
  gpus: { what: "the number of the node's GPUs", kind: "number", optional: true },
  cpu: { what: "CPU of the job", kind: "text" },
  memory: { what: "memory of the job", kind: "text" },
  shmSize: { what: "size of /dev/shm", kind: "text" },
  rdmaResource: { what: "the resource that stands for the fabric", kind: "text", optional: true },
  rdmaDevices: { what: "how many of it", kind: "number", optional: true },
  priorityClass: { what: "the priority class", kind: "text", optional: true },
  runtimeClass: { what: "the runtime class", kind: "text", optional: true },
  serviceAccount: { what: "the service account", kind: "text", optional: true },
  queue: { what: "Volcano's queue", kind: "text" },
  tolerations: { what: "items for `tolerations`", kind: "list" },
  runAsUser: { what: "the user the check runs as", kind: "number" },
  runAsNonRoot: { what: "whether that is not root", kind: "yes-no" },
  resultsVolume: { what: "an item for `volumes`", kind: "object", optional: true },
  resultsMount: { what: "an item for `volumeMounts`", kind: "object", optional: true },
  runSeconds: { what: "how long the pod may run", kind: "number" },
  deadlineSeconds: { what: "how long the job may live, waiting included", kind: "number" },
  ttlSeconds: { what: "how long the finished job is kept", kind: "number" },
} as const satisfies Record<string, Placeholder>;

export type PlaceholderName = keyof typeof placeholders;

/** A plain JSON value. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json };

/** What each placeholder stands for; undefined for optional ones without a value. */
export type PlaceholderValues = { readonly [Name in PlaceholderName]: Json | undefined };

const pattern = /\{\{([^{}]*)\}\}/g;

export function isPlaceholder(name: string): name is PlaceholderName {
  return Object.hasOwn(placeholders, name);
}

export function placeholderOf(name: PlaceholderName): Placeholder {
  return placeholders[name];
}

/** The names between double braces in a text, whether there are such placeholders or not. */
export function namesIn(text: string): readonly string[] {
  if (!text.includes("{{")) return [];
  return [...text.matchAll(pattern)].map(([, name = ""]) => name.trim());
}

/** The name, when the text is a placeholder and nothing else. */
export function soleName(text: string): PlaceholderName | undefined {
  const [name] = namesIn(text);
  const sole = name !== undefined && /^\s*\{\{[^{}]*\}\}\s*$/.test(text);
  return sole && isPlaceholder(name) ? name : undefined;
}

/** Puts values into a text. Values are not looked at again: braces in them stay braces. */
export function fillText(text: string, values: PlaceholderValues): string {
  if (!text.includes("{{")) return text;
  return text.replaceAll(pattern, (whole, inner: string) => {
    const name = inner.trim();
    return isPlaceholder(name) ? scalarText(values[name]) : whole;
  });
}

/** Lists and objects stand alone, as the check of a template demands. */
function scalarText(value: Json | undefined): string {
  assert(typeof value !== "object", "only texts, numbers and yes or no go into a text");
  return String(value ?? "");
}
