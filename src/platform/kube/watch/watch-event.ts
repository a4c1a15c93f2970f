import { isStatus, type KubeObject, type KubeStatus } from "../types.ts";

/** One line of a watch, checked. */
export type WatchEvent =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: KubeObject }
  | { readonly type: "BOOKMARK"; readonly resourceVersion: string }
  | { readonly type: "ERROR"; readonly status: KubeStatus };

/** Reads a line of a watch; undefined when it is none, which means that the stream is broken. */
export function parseWatchEvent(line: string): WatchEvent | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isRecord(parsed)) return undefined;
  const { type, object } = parsed;
  if (type === "ERROR") return { type, status: isStatus(object) ? object : { kind: "Status" } };
  if (!isRecord(object) || !isRecord(object["metadata"])) return undefined;
  const resourceVersion = object["metadata"]["resourceVersion"];
  if (typeof resourceVersion !== "string" || resourceVersion === "") return undefined;
  if (type === "BOOKMARK") return { type, resourceVersion };
  if (type !== "ADDED" && type !== "MODIFIED" && type !== "DELETED") return undefined;
  if (typeof object["metadata"]["name"] !== "string") return undefined;
  return { type, object: object as unknown as KubeObject };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
