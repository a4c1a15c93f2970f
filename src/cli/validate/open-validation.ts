import { hostname } from "node:os";
import { Releases } from "../../control/releases.ts";
import { isLoopback } from "../../platform/http/index.ts";
import { createRng, randomSeed } from "../../platform/rng/index.ts";
import { openStore } from "../../platform/store/index.ts";
import { type AssembledLoop, assembleLoop } from "../../validation/assemble/index.ts";
import {
  createResultRoute,
  ensureRunSecret,
  startResultServer,
} from "../../validation/collect/index.ts";
import { openHistory } from "../../validation/history/index.ts";
import type { LoopEvent } from "../../validation/loop/index.ts";
import { clusterEntry, resolveClusterPlaces } from "../../validation/resolve-settings.ts";
import type { Invocation } from "../invocation.ts";
import { ownProgram } from "../own-program.ts";

/** The clusters of a command line with their loops, and what they stand on. */
export interface Validation {
  readonly loops: readonly AssembledLoop[];
  /** Hears everything the loops tell, from now on. */
  onEvent(listener: (event: LoopEvent) => void): void;
  close(): Promise<void>;
}

/**
 * Opens the store, the clusters and the door for results. If a step fails, what the steps before it
 * opened is closed again.
 *
 * @throws E_CLUSTER_UNKNOWN, E_PORT_IN_USE, and whatever opening the store and the clusters throws.
 */
export async function openValidation(invocation: Invocation): Promise<Validation> {
  const releases = new Releases(await invocation.log());
  try {
    return await open(invocation, releases);
  } catch (error) {
    await releases.releaseAll();
    throw error;
  }
}

async function open(invocation: Invocation, releases: Releases): Promise<Validation> {
  const { clock, io, options } = invocation;
  const [{ values: config }, log] = await Promise.all([invocation.config(), invocation.log()]);
  const only = options["cluster"];
  const entries =
    typeof only === "string" ? [clusterEntry(config, only)] : config.validation.clusters;
  const store = await openStore({ url: config.store.url, clock, log });
  releases.add("store", () => store.close());
  const history = openHistory(store);
  const secret = await ensureRunSecret(store);
  const loops: AssembledLoop[] = [];
  const route = createResultRoute({
    history,
    secret,
    clock,
    onResult: ({ cluster }) => loops.find(({ entry }) => entry.name === cluster)?.loop.wake(),
  });
  // Only who was told where to hand in from elsewhere needs an address that can be told.
  const isReached = entries.some(
    ({ name }) => resolveClusterPlaces(config, name).resultUrl !== undefined,
  );
  const where = isReached ? config.server : { host: "127.0.0.1", port: 0 };
  const server = await startResultServer({ ...where, route, clock, log });
  releases.add("result server", async () => void (await server.stop({ deadlineMs: 2_000 })));
  const listeners: ((event: LoopEvent) => void)[] = [];
  for (const entry of entries) {
    const loop = await assembleLoop(entry, {
      config,
      env: io.env,
      clock,
      log,
      rng: createRng(config.seed ?? randomSeed()),
      command: [process.execPath, ownProgram()],
      store,
      history,
      secret,
      // Two lives of one process must not be taken for each other.
      holder: `${hostname()}/${process.pid}/${randomSeed()}`,
      ownUrl: isLoopback(where.host) ? server.url : undefined,
      onEvent: (event) => {
        for (const listener of listeners) listener(event);
      },
    });
    releases.add(`cluster ${entry.name}`, () => loop.close());
    loops.push(loop);
  }
  return {
    loops,
    onEvent: (listener) => void listeners.push(listener),
    close: () => releases.releaseAll(),
  };
}
