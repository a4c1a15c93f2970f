import type { CallOptions } from "./http/requester.ts";

/** Options of calls that change something. */
export interface WriteOptions extends CallOptions {
  /** The server checks everything and answers as if, and changes nothing. @default false */
  readonly dryRun?: boolean;
  /** In whose name the fields are set. @default "tessera" */
  readonly fieldManager?: string;
}

/** Which objects of a type. */
export interface Selection {
  /** All namespaces when absent. */
  readonly namespace?: string;
  /** As in kubectl: `app=tessera,tier!=test`. */
  readonly labelSelector?: string;
  /** As in kubectl: `spec.nodeName=gpu-1`. */
  readonly fieldSelector?: string;
}

export interface ListPageOptions extends CallOptions, Selection {
  /** How many objects in one page. */
  readonly limit?: number;
  /** The token of the page before. */
  readonly continueToken?: string;
  /** Absent: the newest state there is. */
  readonly resourceVersion?: string;
}

/** What to do with objects that depend on the deleted one. */
export type DeletePropagation = "Background" | "Foreground" | "Orphan";

export interface DeleteOptions extends WriteOptions {
  readonly propagation?: DeletePropagation;
  /** How long the object's processes may take to end; 0 does not wait for them. */
  readonly gracePeriodSeconds?: number;
  /** Deletes only this very object, not one made later under the same name. */
  readonly uid?: string;
  /** Deletes only if nothing changed since. */
  readonly resourceVersion?: string;
}

export interface LogOptions extends CallOptions {
  readonly container?: string;
  /** The log of the container's previous life. */
  readonly previous?: boolean;
  /** Only the last lines. */
  readonly tailLines?: number;
  /** Only the first bytes. */
  readonly limitBytes?: number;
}

/** One operation of a JSON patch (RFC 6902). */
export interface JsonPatchOperation {
  readonly op: "add" | "remove" | "replace" | "test" | "move" | "copy";
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

/** A change, in one of the languages the API knows. */
export type Patch =
  | { readonly json: readonly JsonPatchOperation[] }
  | { readonly merge: object }
  | { readonly strategic: object }
  | { readonly apply: object; readonly force: boolean };

export const fieldManagerDefault = "tessera";
