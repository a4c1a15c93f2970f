import { isDeepStrictEqual } from "node:util";
import { jsonPatch, mergePatch, PatchError, strategicPatch } from "./patches.ts";
import type { Store, StoredObject } from "./store.ts";

/** A request, taken apart. */
export interface KubeRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** `/apis/apps/v1/deployments`, whatever the namespace. */
  readonly collection: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  /** `namespace/name` or `name`. */
  readonly key: string;
  readonly subresource: string | undefined;
  readonly contentType: string;
  readonly authorization: string | undefined;
  readonly body: StoredObject | undefined;
}

export interface Outcome {
  readonly status: number;
  readonly body: unknown;
}

/** The Status object of a failure. */
export function failed(code: number, reason: string, message = `fake ${reason}`): Outcome {
  return { status: code, body: { kind: "Status", status: "Failure", code, reason, message } };
}

/** POST, PUT, PATCH and DELETE. */
export function write(store: Store, request: KubeRequest, nowMs: number): Outcome {
  const { method, collection, key, subresource } = request;
  if (method === "POST" && subresource === "eviction") {
    store.remove(collection, key);
    return { status: 201, body: { kind: "Status", status: "Success" } };
  }
  if (method === "POST") return create(store, request, nowMs);
  const known = store.get(collection, key);
  const applies = method === "PATCH" && request.contentType.includes("apply");
  if (known === undefined && applies) return create(store, request, nowMs);
  if (known === undefined) return failed(404, "NotFound");
  if (method === "DELETE") return remove(store, request, known, nowMs);
  try {
    const given = method === "PUT" ? request.body : patched(request, known);
    if (given === undefined) return failed(400, "BadRequest");
    return replace(store, request, { known, given }, nowMs);
  } catch (error) {
    if (error instanceof PatchError) return failed(error.status, "Invalid", error.message);
    throw error;
  }
}

function patched({ contentType, body }: KubeRequest, known: StoredObject): StoredObject {
  if (contentType.includes("json-patch"))
    return jsonPatch(known, body as unknown as Parameters<typeof jsonPatch>[1]) as StoredObject;
  if (contentType.includes("strategic")) return strategicPatch(known, body) as StoredObject;
  return mergePatch(known, body) as StoredObject;
}

function create(store: Store, request: KubeRequest, nowMs: number): Outcome {
  const { collection, namespace, body, query } = request;
  if (body === undefined) return failed(400, "BadRequest");
  const generated = `${body.metadata.generateName ?? ""}${store.revision}`;
  const name = body.metadata.name ?? request.name ?? generated;
  const metadata = { ...body.metadata, name, ...(namespace === undefined ? {} : { namespace }) };
  const key = namespace === undefined ? name : `${namespace}/${name}`;
  if (store.get(collection, key) !== undefined) return failed(409, "AlreadyExists");
  const object: StoredObject = { ...body, metadata };
  // A node registers itself with its status; elsewhere the status has its own path.
  if (!collection.endsWith("/nodes")) delete object["status"];
  if (query.get("dryRun") === "All") return { status: 201, body: object };
  return { status: 201, body: store.put(collection, object, nowMs) };
}

function replace(
  store: Store,
  request: KubeRequest,
  objects: { readonly known: StoredObject; readonly given: StoredObject },
  nowMs: number,
): Outcome {
  const { collection, key, subresource, query } = request;
  const { known, given } = objects;
  const version = given.metadata.resourceVersion;
  if (version !== undefined && version !== known.metadata.resourceVersion)
    return failed(409, "Conflict");
  const { uid } = given.metadata;
  if (uid !== undefined && uid !== known.metadata.uid) return failed(409, "Conflict");
  const next = subresource === "status" ? withStatus(known, given) : withoutStatus(known, given);
  if (query.get("dryRun") === "All" || isDeepStrictEqual(next, known))
    return { status: 200, body: query.get("dryRun") === "All" ? next : known };
  const stored = store.put(collection, next, nowMs);
  const gone =
    known.metadata.deletionTimestamp !== undefined && (next.metadata.finalizers ?? []).length === 0;
  if (gone) store.remove(collection, key);
  return { status: 200, body: stored };
}

function withStatus(known: StoredObject, given: StoredObject): StoredObject {
  const { status: _, ...rest } = known;
  return given["status"] === undefined ? rest : { ...rest, status: given["status"] };
}

function withoutStatus(known: StoredObject, given: StoredObject): StoredObject {
  const { uid, resourceVersion, generation, creationTimestamp, deletionTimestamp } = known.metadata;
  const fixed = { uid, resourceVersion, generation, creationTimestamp, deletionTimestamp };
  const metadata = { ...given.metadata, ...defined(fixed) };
  const { status: _, ...rest } = given;
  const next: StoredObject = { ...rest, metadata };
  return known["status"] === undefined ? next : { ...next, status: known["status"] };
}

function remove(
  store: Store,
  { collection, key, body, query }: KubeRequest,
  known: StoredObject,
  nowMs: number,
): Outcome {
  const wanted = body?.["preconditions"] as { uid?: string; resourceVersion?: string } | undefined;
  const { uid = known.metadata.uid, resourceVersion = known.metadata.resourceVersion } =
    wanted ?? {};
  if (uid !== known.metadata.uid || resourceVersion !== known.metadata.resourceVersion)
    return failed(409, "Conflict");
  const done = { status: 200, body: { kind: "Status", status: "Success" } };
  if (query.get("dryRun") === "All" || isDryRun(body)) return done;
  if ((known.metadata.finalizers ?? []).length === 0) store.remove(collection, key);
  else if (known.metadata.deletionTimestamp === undefined) {
    const deletionTimestamp = new Date(nowMs).toISOString().replace(/\.\d+Z$/, "Z");
    store.put(collection, { ...known, metadata: { ...known.metadata, deletionTimestamp } }, nowMs);
  }
  return done;
}

function isDryRun(body: StoredObject | undefined): boolean {
  return Array.isArray(body?.["dryRun"]) && body["dryRun"].includes("All");
}

function defined(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
