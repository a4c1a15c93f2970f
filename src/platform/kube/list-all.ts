import type { KubeClient } from "./client.ts";
import type { Selection } from "./client-options.ts";
import { failedError, isExpired } from "./http/failure.ts";
import type { CallOptions } from "./http/requester.ts";
import { type ResourceType, resourcePath } from "./resource-type.ts";
import type { KubeList, KubeObject } from "./types.ts";

export interface ListAllOptions<Source extends KubeObject, T> extends CallOptions, Selection {
  /** Keeps of each object what is needed; the rest is dropped page by page. */
  readonly project: (object: Source) => T;
  /** Objects in one page. @default 500 */
  readonly pageSize?: number;
  /** More objects than this is an error, before they fill the memory. @default 1_000_000 */
  readonly itemsMax?: number;
}

export interface ListAllResult<T> {
  readonly items: T[];
  /** The state of the cluster that the list shows; a watch can go on from here. */
  readonly resourceVersion: string;
}

/** A list that outlives its snapshot is begun again with larger pages, at last with a single one. */
const pageGrowth = [1, 4, 16, undefined] as const;

/**
 * Lists every object selected, in pages of one consistent snapshot. When the snapshot expires under
 * way (410), begins again with larger pages, so that what comes back is always from one moment.
 */
export async function listAll<T, Source extends KubeObject = KubeObject>(
  client: KubeClient,
  type: ResourceType,
  options: ListAllOptions<Source, T>,
): Promise<ListAllResult<T>> {
  const pageSize = options.pageSize ?? 500;
  for (const growth of pageGrowth) {
    try {
      const limit = growth === undefined ? undefined : pageSize * growth;
      return await listOnce(client, type, {
        ...options,
        ...(limit === undefined ? {} : { limit }),
      });
    } catch (error) {
      if (!isExpired(error) || growth === undefined) throw error;
    }
  }
  throw new Error("unreachable: the last round returns or throws");
}

async function listOnce<T, Source extends KubeObject>(
  client: KubeClient,
  type: ResourceType,
  options: ListAllOptions<Source, T> & { readonly limit?: number },
): Promise<ListAllResult<T>> {
  const { project, itemsMax = 1_000_000 } = options;
  const items: T[] = [];
  let continueToken: string | undefined;
  for (;;) {
    const paging = continueToken === undefined ? {} : { continueToken };
    const page = await client.listPage<Source>(type, { ...options, ...paging });
    assertPage(client, type, page);
    if (items.length + page.items.length > itemsMax) {
      throw listError(client, type, `there are more than ${itemsMax} objects`);
    }
    for (const object of page.items) items.push(project(object));
    continueToken = page.metadata.continue || undefined;
    if (continueToken === undefined)
      return { items, resourceVersion: page.metadata.resourceVersion ?? "" };
    // An empty page that promises more would go on for ever.
    if (page.items.length === 0)
      throw listError(client, type, "an empty page that is not the last");
  }
}

function assertPage(client: KubeClient, type: ResourceType, page: KubeList): void {
  const whole = typeof page?.metadata?.resourceVersion === "string" && Array.isArray(page.items);
  if (!whole) throw listError(client, type, "the answer is not a list");
}

function listError(client: KubeClient, type: ResourceType, problem: string): Error {
  return failedError({ config: client.config, method: "GET", path: resourcePath(type) }, problem);
}
