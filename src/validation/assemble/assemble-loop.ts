import type { Config } from "../../platform/config/index.ts";
import type { Logger } from "../../platform/log/index.ts";
import type { Store } from "../../platform/store/index.ts";
import { createNodeCare, type NodeCare } from "../act/index.ts";
import { type OpenClusterDeps, type OpenedCluster, openCluster } from "../clusters/open-cluster.ts";
import { resultPath, runToken } from "../collect/index.ts";
import type { History } from "../history/index.ts";
import { createLoop, type Loop, type LoopEvent, type LoopOptions } from "../loop/index.ts";
import { loadPlanner } from "../plan/index.ts";
import {
  type ClusterEntry,
  type ClusterPlaces,
  resolveClusterPlaces,
  resolveValidationSettings,
} from "../resolve-settings.ts";
import type { ValidationSettings } from "../settings.ts";
import { careLog } from "./care-log.ts";
import { collectorOf } from "./collector.ts";
import { FleetNotes } from "./fleet-notes.ts";
import { Inbox } from "./inbox.ts";
import { leadershipOf } from "./leadership-of.ts";
import { newestRecordMs } from "./newest-record.ts";
import { untilSeen } from "./until-seen.ts";
import { wayHome } from "./way-home.ts";

export interface AssembleOptions
  extends Omit<OpenClusterDeps, "config" | "onResult" | "newestRecordMs"> {
  readonly config: OpenClusterDeps["config"] & Pick<Config, "dataDir">;
  readonly store: Store;
  readonly history: History;
  /** Who this process is among those who may lead; different for each process and each of its lives. */
  readonly holder: string;
  /** The address jobs of this machine reach the result route at; undefined when there is none. */
  readonly ownUrl: string | undefined;
  readonly log: Logger;
  readonly onEvent?: (event: LoopEvent) => void;
  /** How the loop waits and ends. @default the loop's own */
  readonly limits?: Pick<
    LoopOptions,
    "tickEveryMs" | "tickGapMs" | "drainTimeoutMs" | "cancelTimeoutMs"
  >;
}

/** A cluster with everything that looks after it, not started yet. */
export interface AssembledLoop {
  readonly entry: ClusterEntry;
  readonly opened: OpenedCluster;
  readonly settings: ValidationSettings;
  readonly places: ClusterPlaces;
  readonly loop: Loop;
  readonly care: NodeCare;
  /** Stops looking and lets go of everything; the loop must have ended. */
  close(): Promise<void>;
}

/**
 * Puts a cluster of the configuration and its loop together.
 *
 * @throws E_NO_WAY_HOME; what `openCluster` and `resolveValidationSettings` throw.
 */
export async function assembleLoop(
  entry: ClusterEntry,
  options: AssembleOptions,
): Promise<AssembledLoop> {
  const { config, store, history, clock, rng } = options;
  const places = resolveClusterPlaces(config, entry.name);
  const { dataDir } = config;
  const baseUrl = wayHome(entry, { places, dataDir, ownUrl: options.ownUrl });
  const inbox = new Inbox(options);
  const opened = await openCluster(entry, {
    ...options,
    onResult: (result, way) => inbox.take(result, way),
    newestRecordMs: await newestRecordMs(store, history, entry.name),
  });
  const { cluster } = opened;
  try {
    // A machine knows what it can run only once it has looked at itself.
    if (entry.kind === "local") await untilSeen(cluster, clock);
    const { available } = cluster.checks;
    const settings = resolveValidationSettings(config, entry.name, { available });
    const care = createNodeCare({
      ...options,
      ...careLog(entry.name, options.log),
      cluster,
      settings,
    });
    const { leadership, release } = leadershipOf(entry, opened, options);
    const notes = new FleetNotes({ ...options, opened });
    const collect = await collectorOf(entry, { ...options, places });
    const loop = createLoop({
      cluster,
      history,
      settings,
      leadership,
      planner: () => {
        const nowMs = cluster.clock.nowMs();
        return loadPlanner({ history, cluster: entry.name, settings, rng, nowMs });
      },
      jobs: {
        token: (runId) => runToken(options.secret, runId),
        resultUrl: (runId) => baseUrl && `${baseUrl}${resultPath(runId)}`,
      },
      ...(collect === undefined ? {} : { collect }),
      judge: (input) => care.judge(input),
      act: async (input) => {
        await care.act(input);
        // What is wanted after acting comes with the next judgement.
        return { wanted: [] };
      },
      clock,
      onEvent: (event) => {
        // Another loop may have written since this one led.
        if (event.type === "leading") care.forget();
        notes.changed();
        options.onEvent?.(event);
      },
      ...options.limits,
    });
    inbox.open(cluster.clock, () => loop.wake());
    const close = async () => {
      await notes.finish();
      await opened.close();
      release();
    };
    return { entry, opened, settings, places, loop, care, close };
  } catch (error) {
    await opened.close();
    throw error;
  }
}
