import type { IncomingMessage } from "node:http";
import {
  type DeleteOptions,
  fieldManagerDefault,
  type ListPageOptions,
  type LogOptions,
  type Patch,
  type Selection,
  type WriteOptions,
} from "./client-options.ts";
import type { KubeConfig } from "./config/kube-config.ts";
import { type CallOptions, Requester, type RequesterOptions } from "./http/requester.ts";
import {
  apiVersionOf,
  type ObjectRef,
  type ResourceType,
  resourcePath,
  resourceTypes,
  withQuery,
} from "./resource-type.ts";
import type { KubeList, KubeObject } from "./types.ts";

export type KubeClientOptions = RequesterOptions;

/** Part of an object that has a path of its own: `status`, `scale`. */
interface Subresource {
  readonly subresource?: string;
}

const patchContentTypes = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
} as const;

/**
 * A client for one cluster. Calls throw the E_KUBE_* errors; `kubeFailureOf` tells programs more.
 * Objects are what the server sent: the type parameter is the caller's claim, nothing checks it.
 */
export class KubeClient {
  readonly #requester: Requester;

  constructor(options: KubeClientOptions) {
    this.#requester = new Requester(options);
  }

  get config(): KubeConfig {
    return this.#requester.config;
  }

  get<T extends KubeObject = KubeObject>(
    type: ResourceType,
    ref: ObjectRef,
    options: CallOptions & Subresource = {},
  ): Promise<T> {
    return this.#requester.json({
      ...options,
      method: "GET",
      path: this.#path(type, ref, options),
    });
  }

  /** One page; `listAll` follows the pages. */
  listPage<T extends KubeObject = KubeObject>(
    type: ResourceType,
    options: ListPageOptions = {},
  ): Promise<KubeList<T>> {
    const { limit, resourceVersion, continueToken } = options;
    const query = { ...selectionQuery(options), limit, resourceVersion, continue: continueToken };
    const path = withQuery(resourcePath(type, { namespace: options.namespace }), query);
    return this.#requester.json({ ...options, method: "GET", path });
  }

  /** Creates an object, or with `subresource` something that belongs to it: an eviction, a token. */
  create<T extends KubeObject = KubeObject>(
    type: ResourceType,
    object: KubeObject,
    options: WriteOptions & Subresource = {},
  ): Promise<T> {
    const { subresource } = options;
    const namespace = this.#namespace(type, object.metadata);
    const name = subresource === undefined ? undefined : object.metadata.name;
    const path = withQuery(
      resourcePath(type, { namespace, name, subresource }),
      writeQuery(options),
    );
    return this.#requester.json({ ...options, method: "POST", path, body: withType(type, object) });
  }

  /** Replaces the whole object; with its resourceVersion only if nobody changed it since. */
  update<T extends KubeObject = KubeObject>(
    type: ResourceType,
    object: KubeObject,
    options: WriteOptions & Subresource = {},
  ): Promise<T> {
    const { name = "", namespace } = object.metadata;
    const path = withQuery(this.#path(type, { name, namespace }, options), writeQuery(options));
    return this.#requester.json({ ...options, method: "PUT", path, body: withType(type, object) });
  }

  patch<T extends KubeObject = KubeObject>(
    type: ResourceType,
    ref: ObjectRef,
    patch: Patch,
    options: WriteOptions & Subresource = {},
  ): Promise<T> {
    const force = "apply" in patch ? patch.force : undefined;
    const path = withQuery(this.#path(type, ref, options), { ...writeQuery(options), force });
    const { language, body } = patchBody(type, patch);
    return this.#requester.json({
      ...options,
      method: "PATCH",
      path,
      body,
      contentType: patchContentTypes[language],
      // Applying the same configuration again changes nothing.
      repeatable: language === "apply",
    });
  }

  /** Deletes one object; it may live on until its finalizers and its pods have ended. */
  async delete(type: ResourceType, ref: ObjectRef, options: DeleteOptions = {}): Promise<void> {
    const path = this.#path(type, ref, {});
    await this.#requester.text({ ...options, method: "DELETE", path, body: deleteBody(options) });
  }

  /** Deletes every object selected. A namespaced type needs a namespace. */
  async deleteCollection(
    type: ResourceType,
    selection: Selection,
    options: DeleteOptions = {},
  ): Promise<void> {
    const namespace = type.namespaced ? (selection.namespace ?? this.config.namespace) : undefined;
    const path = withQuery(resourcePath(type, { namespace }), selectionQuery(selection));
    await this.#requester.text({ ...options, method: "DELETE", path, body: deleteBody(options) });
  }

  /** Asks for a pod to leave its node; a disruption budget may say no (429, retried for a while). */
  async evict(ref: ObjectRef, options: DeleteOptions = {}): Promise<void> {
    const { name, namespace = this.config.namespace } = ref;
    const eviction = {
      apiVersion: "policy/v1",
      kind: "Eviction",
      metadata: { name, namespace },
      deleteOptions: deleteBody(options),
    };
    await this.create(resourceTypes.pods, eviction, { ...options, subresource: "eviction" });
  }

  /** What a container printed. Bounded by the client's limit on answers, and by `limitBytes`. */
  logs(ref: ObjectRef, options: LogOptions = {}): Promise<string> {
    const { container, previous, tailLines, limitBytes } = options;
    const path = this.#path(resourceTypes.pods, ref, { subresource: "log" });
    const query = { container, previous, tailLines, limitBytes };
    return this.#requester.text({ ...options, method: "GET", path: withQuery(path, query) });
  }

  /** Any path of the API, as JSON: `/version`, `/apis`. */
  getJson<T>(path: string, options: CallOptions = {}): Promise<T> {
    return this.#requester.json({ ...options, method: "GET", path });
  }

  /** Any path of the API, as text: `/readyz?verbose`, `/metrics`. */
  getText(path: string, options: CallOptions = {}): Promise<string> {
    return this.#requester.text({ ...options, method: "GET", path });
  }

  /** Opens a watch: a stream of JSON lines. One attempt; the reflector does the rest. */
  openWatch(
    type: ResourceType,
    options: CallOptions &
      Selection & { readonly resourceVersion: string; readonly timeoutSeconds: number },
  ): Promise<IncomingMessage> {
    const { resourceVersion, timeoutSeconds } = options;
    const query = {
      ...selectionQuery(options),
      watch: 1,
      allowWatchBookmarks: true,
      resourceVersion,
      timeoutSeconds,
    };
    const path = withQuery(resourcePath(type, { namespace: options.namespace }), query);
    return this.#requester.open({ ...options, method: "GET", path });
  }

  /** Ends every call and watch, and closes every connection. */
  close(): void {
    this.#requester.close();
  }

  #path(type: ResourceType, ref: ObjectRef, { subresource }: Subresource): string {
    const namespace = this.#namespace(type, ref);
    return resourcePath(type, { namespace, name: ref.name, subresource });
  }

  #namespace(
    type: ResourceType,
    ref: { readonly namespace?: string | undefined },
  ): string | undefined {
    return type.namespaced ? (ref.namespace ?? this.config.namespace) : undefined;
  }
}

/** A client for the cluster of a kubeconfig. Opens no connection before the first call. */
export function createKubeClient(options: KubeClientOptions): KubeClient {
  return new KubeClient(options);
}

function patchBody(type: ResourceType, patch: Patch) {
  if ("json" in patch) return { language: "json", body: patch.json } as const;
  if ("merge" in patch) return { language: "merge", body: patch.merge } as const;
  if ("strategic" in patch) return { language: "strategic", body: patch.strategic } as const;
  return { language: "apply", body: withType(type, patch.apply) } as const;
}

function withType(type: ResourceType, object: object): object {
  return { apiVersion: apiVersionOf(type), kind: type.kind, ...object };
}

function selectionQuery({ labelSelector, fieldSelector }: Selection) {
  return { labelSelector, fieldSelector };
}

function writeQuery(options: WriteOptions) {
  return {
    dryRun: options.dryRun === true ? "All" : undefined,
    fieldManager: options.fieldManager ?? fieldManagerDefault,
  };
}

function deleteBody(options: DeleteOptions): Record<string, unknown> {
  const { propagation, gracePeriodSeconds, uid, resourceVersion, dryRun } = options;
  const guarded = uid !== undefined || resourceVersion !== undefined;
  return {
    apiVersion: "v1",
    kind: "DeleteOptions",
    ...(propagation === undefined ? {} : { propagationPolicy: propagation }),
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(guarded ? { preconditions: { uid, resourceVersion } } : {}),
    ...(dryRun === true ? { dryRun: ["All"] } : {}),
  };
}
