import { createHash } from "node:crypto";

/** What we write on jobs and nodes. */
export const labelNames = {
  managedBy: "app.kubernetes.io/managed-by",
  cluster: "tessera.dev/cluster",
  runId: "tessera.dev/run-id",
  /** On jobs and pods; as a label perhaps shortened, as an annotation always whole. */
  node: "tessera.dev/node",
  check: "tessera.dev/check",
  /** On a node: leave it alone. Anybody may set it. */
  exclude: "tessera.dev/exclude",
  /**
   * On a cordoned node: it is to be tested though closed, and opened when it passes. Set when we
   * close a node; an administrator may set it on a new one.
   */
  awaitsAcceptance: "tessera.dev/awaits-acceptance",
} as const;

export const annotationNames = {
  /** On a node that we closed: which cluster of the configuration did. */
  cordonedBy: "tessera.dev/cordoned-by",
  cordonReason: "tessera.dev/cordon-reason",
  cordonedAt: "tessera.dev/cordoned-at",
  /** Whenever its value changes, the node counts as repaired. Anybody may set it. */
  repaired: "tessera.dev/repaired",
} as const;

export const managedByUs = "tessera";

const valuePattern = /^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;

/** A text as a label's value: itself where that is allowed, else its beginning and a digest. */
export function labelValue(text: string): string {
  if (valuePattern.test(text)) return text;
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 12);
  const start = text.replaceAll(/[^A-Za-z0-9]+/g, "-").slice(0, 40);
  return `${start.replaceAll(/^-+|-+$/g, "") || "x"}-${digest}`;
}

/** The Lease that decides which of several loops leads a cluster of the configuration. */
export function leaseNameOf(cluster: string): string {
  return `tessera-validation-${cluster}`;
}

/** Selects the jobs of one cluster of the configuration. */
export function jobSelector(cluster: string): string {
  return `${labelNames.managedBy}=${managedByUs},${labelNames.cluster}=${labelValue(cluster)}`;
}
