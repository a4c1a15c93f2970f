import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import type { KubeClient } from "../../../../src/platform/kube/index.ts";
import { createRng } from "../../../../src/platform/rng/index.ts";
import { createRealClock, sleep } from "../../../../src/platform/time/index.ts";
import { getFreeNodeList } from "../../../../src/validation/clusters/free-nodes.ts";
import { type Cluster, startCluster } from "../../../cluster/fixture.ts";
import { describeCluster } from "../../../cluster/shared.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { expectAllFromPods, expectOneJobEach, expectReport } from "./support/kwok-expect.ts";
import {
  arrangeFleet,
  check,
  dueInOrder,
  freeNodes,
  fresh,
  old,
  setSchedulable,
} from "./support/kwok-fleet.ts";
import { kwokStages } from "./support/kwok-stages.ts";
import { createWorld, type World } from "./support/kwok-world.ts";
import { connect, look } from "./support/look.ts";
import { seedHistory } from "./support/past.ts";
import type { ValidateProcess } from "./support/validate-process.ts";

// Each test tests the whole fleet, with one of two cores at times.
vi.setConfig({ testTimeout: 600_000 });
const shape = { kwok: 50, volcano: true };
const clock = createRealClock();
/** As many as the nightly run wants. */
const kills = Number(process.env["TESSERA_KILLS"] ?? 10);

describeCluster(
  "tessera validate on a cluster of 50 nodes",
  () => {
    let cluster: Cluster;
    let client: KubeClient;
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "tessera-test-"));
      const stages = join(folder, "stages.yaml");
      await writeFile(stages, kwokStages);
      cluster = await startCluster({
        ...shape,
        extraArgs: {
          kwok: [`--config=${stages}`],
          // A busy machine must not make KWOK's nodes look dead: the order of tests depends on them.
          "controller-manager": ["--node-monitor-grace-period=1h"],
        },
      });
      client = await connect(cluster);
      await arrangeFleet(cluster, client);
    });
    afterAll(async () => {
      client?.close();
      await cluster?.stop();
      await rm(folder, { recursive: true, force: true });
    });

    /** New nodes keep a taint until the controllers have seen that they are ready. */
    async function allFree(): Promise<void> {
      const fleet = look(client);
      await waitUntil(
        "all nodes are free that should be",
        () => getFreeNodeList(fleet.view()).toSorted().join() === freeNodes.join(),
        { timeoutMs: 180_000 },
      );
      await fleet.stop();
    }

    it.each([
      ["plain", "job", "scheduler"],
      ["volcano", "volcano", "volcano-scheduler"],
    ] as const)(
      "tests what is free and due with %s jobs, stalest first, and gives up on what never starts",
      async (name, scheduler, component) => {
        await allFree();
        const inFlight = 6;
        const stuck = "kwok-23";
        const validation = {
          limits: { inFlight },
          checks: [{ name: check }],
          pendingTimeout: "50s",
        };
        const world = await createWorld({ cluster, name, scheduler, validation });
        await seedHistory(world.folder, name, [...old, ...fresh]);
        const config = await world.configFor("loop");

        // A node that is closed between the decision and its job's turn.
        await cluster.component(component).kill();
        const loop = await world.start(config);
        await loop.until(
          "there is no more room",
          () => world.ledger.unfinished.length === inFlight,
        );
        expect(nodesPlanned(loop)).toEqual(dueInOrder.slice(0, inFlight));
        await setSchedulable(client, stuck, false);
        onTestFinished(() => setSchedulable(client, stuck, true));
        await cluster.component(component).start();

        await loop.until(
          "all that is due has been judged",
          () => loop.told("judged").length === dueInOrder.length,
        );
        expect(await loop.stop()).toMatchObject({ code: 0 });
        expect(nodesPlanned(loop)).toEqual(dueInOrder);
        expect(loop.told("trouble")).toEqual([]);

        const tested = (await world.runs()).slice(old.length + fresh.length);
        for (const { intent, result } of tested) {
          if (intent.node !== stuck) {
            expect(result).toMatchObject({ outcome: "completed", origin: "pod" });
            continue;
          }
          expect(result).toMatchObject({ outcome: "timeout", origin: "loop" });
          expect(result?.error).toMatch(
            /^its job did not begin to run within 50 s: Unschedulable: .*unschedulable/i,
          );
        }
        expectOneJobEach(world, tested, inFlight);
        expect(world.ledger.unfinishedMax).toBe(inFlight);
        await expectReport(config, stuck);
      },
    );

    it("is led by one of two loops, and by the other when that is killed", async () => {
      const inFlight = 4;
      const name = "pair";
      const validation = { limits: { inFlight }, checks: [{ name: check }] };
      // Nobody will be at the address that pods of the first loop were given.
      const world = await createWorld({ cluster, name, validation, pods: { way: "file" } });
      const first = await world.start(await world.configFor("first"));
      await first.until("it leads", () => first.told("leading").length === 1);
      const second = await world.start(await world.configFor("second"));
      await second.until("it says who leads", () => second.told("waiting").length > 0);
      expect(second.told("waiting")[0]?.leader).toMatchObject({
        holder: expect.stringContaining(`/${first.pid}/`),
        isThisProcess: false,
      });
      await first.until("it works", () => first.told("ended").length >= 2 * inFlight);

      world.player.hold();
      await first.until("all slots are held", () => world.player.held === inFlight);
      const heldRuns = await world.history.openRuns(name);
      await first.kill();
      expect(second.told("planned")).toEqual([]);
      await second.until("it leads", () => second.told("leading").length === 1);
      world.player.release();
      await untilAllTested(second, world, freeNodes.length);
      expect(await second.stop()).toMatchObject({ code: 0 });

      const runs = await world.runs();
      expect(runs.map(({ intent }) => intent.node).toSorted()).toEqual(freeNodes);
      const begun = [...first.told("planned"), ...second.told("planned")];
      expect(new Set(begun.map(({ run }) => run.runId)).size).toBe(begun.length);
      expect(heldRuns.length).toBe(inFlight);
      for (const { intent } of heldRuns) {
        expect(second.told("ended").map(({ run }) => run.runId)).toContain(intent.id);
      }
      expectAllFromPods(runs);
      expectOneJobEach(world, runs, inFlight);
    });

    it(`loses nothing and does nothing twice when it is killed, ${kills} times`, async () => {
      const inFlight = 6;
      const name = "killed";
      const checks = [{ name: check }, { name: "own", options: { command: ["true"] } }];
      const limits = { inFlight, cooldown: "0s" };
      const world = await createWorld({ cluster, name, validation: { limits, checks } });
      const config = await world.configFor("loop");
      const moments = createRng(process.env["TESSERA_KILL_SEED"] ?? "kill").stream("moments");
      let begun = 0;
      // Where lives are short of time, a few more: with nothing but the first runs nothing is shown.
      for (let life = 0; life < kills || (begun <= inFlight && life < 5 * kills); life++) {
        const loop = await world.start(config);
        await loop.until("it leads", () => loop.told("leading").length === 1);
        await sleep(clock, moments.int(1_500));
        await loop.kill();
        // Otherwise each life would wait 15 s for the one before.
        await world.dropLease();
        begun = (await world.runs()).length;
      }
      const last = await world.start(config);
      await untilAllTested(last, world, freeNodes.length * checks.length);
      expect(await last.stop()).toMatchObject({ code: 0 });

      expect(begun).toBeGreaterThan(inFlight);
      const runs = await world.runs();
      const wanted = freeNodes.flatMap((node) => checks.map((one) => `${node} ${one.name}`));
      const done = runs.map(({ intent }) => `${intent.node} ${intent.check}`);
      expect(done.toSorted()).toEqual(wanted.toSorted());
      expectAllFromPods(runs);
      expectOneJobEach(world, runs, inFlight);
    });

    it("says once that it cannot see while the API server is dead, and loses nothing", async () => {
      const inFlight = 8;
      const name = "outage";
      const validation = { limits: { inFlight }, checks: [{ name: check }] };
      const world = await createWorld({ cluster, name, validation });
      const loop = await world.start(await world.configFor("loop"));
      await loop.until("it works", () => loop.told("ended").length >= inFlight);
      await cluster.component("apiserver").kill();
      await loop.until("it says so", () => ofCluster(loop.told("trouble")).length > 0);
      await loop.until("it leads no longer", () => loop.told("lost").length > 0);
      expect(ofCluster(loop.told("trouble"))).toHaveLength(1);
      expect(loop.log.match(/may be missing/g)).toHaveLength(1);
      await cluster.component("apiserver").start();
      await loop.until("it has recovered", () => ofCluster(loop.told("recovered")).length > 0);
      await untilAllTested(loop, world, freeNodes.length);
      expect(await loop.stop()).toMatchObject({ code: 0 });

      const troubles = ofCluster(loop.told("trouble"));
      expect(troubles[0]?.problem).toMatch(/^Changes of .* may be missing/);
      // A server that has just come back may refuse a watch after all: each trouble ends, and only once.
      expect(ofCluster(loop.told("recovered"))).toHaveLength(troubles.length);
      expect(loop.log.match(/may be missing/g)).toHaveLength(troubles.length);
      expect(loop.log.match(/is current again/g)).toHaveLength(troubles.length);
      const runs = await world.runs();
      expect(runs.map(({ intent }) => intent.node).toSorted()).toEqual(freeNodes);
      expectAllFromPods(runs);
      expectOneJobEach(world, runs, inFlight);
    });
  },
  shape,
);

function nodesPlanned(loop: ValidateProcess): readonly string[] {
  return loop.told("planned").map(({ run }) => run.node);
}

function ofCluster<Event extends { readonly step: string }>(
  events: readonly Event[],
): readonly Event[] {
  return events.filter(({ step }) => step === "cluster");
}

/** Waits until so many runs have a verdict and none is open. */
async function untilAllTested(loop: ValidateProcess, world: World, count: number): Promise<void> {
  await loop.until(`${count} runs are judged`, async () => {
    await sleep(clock, 100);
    const runs = await world.runs();
    return runs.length >= count && runs.every(({ verdict }) => verdict !== undefined);
  });
}
