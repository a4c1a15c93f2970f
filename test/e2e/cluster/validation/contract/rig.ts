import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { CliResult } from "../../../../support/built-cli.ts";
import { waitUntil } from "../../../../support/wait-until.ts";
import { type PastRun, seedHistory } from "../support/past.ts";
import { freePortOn } from "../support/pods.ts";
import { expectHandedIn, type Values } from "../support/real-site.ts";
import { type StoredRun, storedRuns } from "../support/records.ts";
import {
  runOnConfig,
  startValidate,
  type ValidateProcess,
  writeConfig,
} from "../support/validate-process.ts";
import { createGround, type Ground, probe, probeCheck } from "./probe.ts";
import type { Site } from "./site.ts";

export interface RigOptions {
  /** The name of the entry: one of its own for each test. */
  readonly name: string;
  /** Values of the section `validation`. */
  readonly validation?: Values;
  /** Whether jobs also post their results. @default true */
  readonly posts?: boolean;
  /** When each node was last tested. @default never */
  readonly daysAgo?: Readonly<Record<string, number>>;
}

/** What a loop needs around it on a site, and what a test needs around the loop. */
export interface Rig extends Ground {
  readonly name: string;
  /** The folder of results, the same for all who look at it. */
  readonly root: string;
  /** The loop's own address. */
  readonly url: string;
  /** Starts a loop, which does not outlive the test. */
  start(): Promise<ValidateProcess>;
  /** A single pass to its end: what it exited with. */
  once(): Promise<number>;
  /** What `tessera plan` would leave for later, and why: sentences by node. */
  postponed(): Promise<ReadonlyMap<string, string>>;
  /**
   * Resolves when nothing is in the way of a test of these nodes. A scheduler that was let go of a node may
   * keep it for a moment, and a single pass has no other nodes than those that are free when it begins.
   */
  untilFree(...nodes: readonly string[]): Promise<void>;
  /** Another command on the same configuration. */
  tessera(...args: readonly string[]): Promise<CliResult>;
  /** Runs of the site's own nodes, in the order of their plans. */
  runs(): Promise<readonly StoredRun[]>;
  run(runId: string): Promise<StoredRun | undefined>;
  /** The run that waits at the gate of a node. */
  atGate(loop: ValidateProcess, node: string): Promise<string>;
  /** Resolves when no job of this rig has work left. */
  settled(): Promise<void>;
  /** Ends a loop with -9 and lets the next one lead at once. */
  kill(loop: ValidateProcess): Promise<void>;
  expectHandedIn(run: StoredRun): Promise<void>;
  readonly dataDir: string;
}

/** Prepares everything but the loop; it is gone when the test ends. */
export async function createRig(site: Site, options: RigOptions): Promise<Rig> {
  const { name } = options;
  const root = join(site.shared, name);
  const dataDir = join(site.shared, `${name}-data`);
  await mkdir(root);
  // Jobs may write as a user that the folder's owner has never heard of.
  await chmod(root, 0o777);
  await writeFile(join(root, "ledger"), "");
  await chmod(join(root, "ledger"), 0o666);
  const { config, url } = await writeRigConfig(site, { ...options, root, dataDir });
  await seedHistory(dataDir, name, pastOf(site, options.daysAgo ?? {}));
  const ground = createGround(root);
  const settled = () =>
    waitUntil(`no job of ${name} has work left`, async () =>
      (await site.jobs(name)).every(({ hasEnded }) => hasEnded),
    );
  onTestFinished(async () => {
    // The next test finds the nodes as this one did.
    await ground.unshut(...site.nodes);
    await settled();
    for (const folder of [root, dataDir]) await rm(folder, { recursive: true, force: true });
  });
  const postponed = async () => {
    const { stdout } = await runOnConfig(config, ["plan", "--json"]);
    const { clusters } = JSON.parse(stdout) as PlanShape;
    return clusters.flatMap((one) => one.postponed);
  };
  const runs = async () => {
    const all = await storedRuns(dataDir, name);
    return all.filter(({ intent, result }) => result === undefined || intent.reason !== seeded);
  };
  return {
    ...ground,
    ...{ name, root, url, dataDir },
    start: async () => {
      const loop = await startValidate(config);
      onTestFinished(async () => void (await loop.kill()));
      return loop;
    },
    once: async () => {
      const done = await runOnConfig(config, ["validate", "--once", "--json"], {
        limitMs: 240_000,
      });
      const told = `${done.stderr.slice(-2_000)}${done.stdout.slice(-4_000)}`;
      expect(done.code, told).toBeLessThan(2);
      return done.code;
    },
    postponed: async () => new Map((await postponed()).map(({ node, reason }) => [node, reason])),
    untilFree: (...nodes) =>
      waitUntil(`nothing is in the way of a test of ${nodes.join()}`, async () => {
        const inTheWay = (await postponed()).filter(({ rail }) => rail === "not-free");
        return nodes.every((node) => inTheWay.every((one) => one.node !== node));
      }),
    tessera: (...args) => runOnConfig(config, args),
    runs,
    run: async (runId) => (await runs()).find(({ intent }) => intent.id === runId),
    atGate: (loop, node) => atGate(ground, loop, node),
    settled,
    kill: async (loop) => {
      await loop.kill();
      await site.forgetLeader(name, dataDir);
    },
    expectHandedIn: (run) => expectHandedIn(root, run),
  };
}

async function writeRigConfig(
  site: Site,
  options: RigOptions & { readonly root: string; readonly dataDir: string },
): Promise<{ readonly config: string; readonly url: string }> {
  const { name, root, posts = true } = options;
  // An address that jobs cannot reach is no way home: then they only write files.
  const host = posts ? site.hostAddress : "127.0.0.1";
  const port = await freePortOn(host);
  const url = `http://${host}:${port}`;
  const config = await writeConfig(options.dataDir, {
    server: { host, port },
    validation: {
      policy: "stale",
      resultsDir: root,
      runTimeout: "10m",
      resultGrace: "3s",
      limits: { cooldown: "0s", retestAfter: "0s", perRack: site.nodes.length },
      checks: [probeCheck(site.seenByJobs(root))],
      ...options.validation,
      clusters: posts
        ? [site.entry({ name, root, url })]
        : [site.entry({ name, root, url: undefined }), listener(site, { root, url })],
    },
  });
  return { config, url };
}

/** An entry that tests nothing: the loop listens when anybody may post, and only then. */
function listener(site: Site, at: { readonly root: string; readonly url: string }): Values {
  return { ...site.entry({ name: "listener", ...at }), excludedNodes: site.nodes };
}

interface PlanShape {
  readonly clusters: readonly {
    readonly postponed: readonly {
      readonly node: string;
      readonly rail: string;
      readonly reason: string;
    }[];
  }[];
}

const seeded = "never tested in this test";

/** Nodes of other days, enough to compare with, and what is said of the site's own. */
function pastOf({ sku }: Site, daysAgo: Readonly<Record<string, number>>): readonly PastRun[] {
  const peers = Array.from({ length: 10 }, (_, index) => ({ node: `gone-${index}`, daysAgo: 3 }));
  const own = Object.entries(daysAgo).map(([node, days]) => ({ node, daysAgo: days }));
  return [...peers, ...own].map((run) => ({ ...run, check: probe, sku, reason: seeded }));
}

async function atGate(ground: Ground, loop: ValidateProcess, node: string): Promise<string> {
  let found = "";
  await loop.until(`a run waits on ${node}`, async () => {
    const { waiting } = await ground.ledger();
    found = [...waiting].findLast(([, at]) => at === node)?.[0] ?? "";
    return found !== "";
  });
  return found;
}
