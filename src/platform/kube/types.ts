/** What the Kubernetes API knows about every object. Only the fields Tessera reads. */
export interface ObjectMeta {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  /** Opaque: may be handed back and compared for equality, nothing else. */
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
}

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
}

/** Any object of the API. Rooms extend it with the fields they read. */
export interface KubeObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
}

/** One page of a list. */
export interface KubeList<T extends KubeObject = KubeObject> {
  readonly metadata: {
    readonly resourceVersion?: string;
    /** Where the next page begins; absent or empty on the last one. */
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly items: readonly T[];
}

/** The API's own account of what went wrong. */
export interface KubeStatus {
  readonly kind: "Status";
  readonly message?: string;
  /** One word for programs: `Conflict`, `Expired`, `Forbidden`. */
  readonly reason?: string;
  readonly code?: number;
  readonly metadata?: { readonly continue?: string };
  readonly details?: {
    readonly retryAfterSeconds?: number;
    readonly causes?: readonly {
      readonly reason?: string;
      readonly message?: string;
      readonly field?: string;
    }[];
  };
}

/** True for a Status object that reports a failure. */
export function isStatus(value: unknown): value is KubeStatus {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "Status";
}
