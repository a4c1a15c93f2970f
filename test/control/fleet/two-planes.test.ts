import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { heatMapSchema, nodeListSchema } from "../../../src/control/api/nodes.ts";
import { type OverviewView, overviewSchema } from "../../../src/control/api/overview.ts";
import { queueSchema } from "../../../src/control/api/queue.ts";
import { runListSchema } from "../../../src/control/api/runs.ts";
import { type PostgresServer, postgresMissing, startPostgres } from "../../support/postgres.ts";
import { fleetYaml, planeOf, read, readUntil, testedFleet } from "./support.ts";

const missing = postgresMissing();

describe.skipIf(missing !== undefined)("a control plane beside the one that leads", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres({ fsync: false });
  });
  afterAll(() => server.stop());

  /** It waits from the first moment on, and knows for whom once it has asked the store. */
  const stateOf = (state: string) => ({
    schema: overviewSchema,
    until: ({ clusters: [found] }: OverviewView) => found?.state === state && found.leader !== null,
  });

  it("tells of nodes, runs and the queue what the leader wrote, and says who leads", async () => {
    const storeUrl = await server.createSchema();
    await using leader = await planeOf(fleetYaml(), { storeUrl });
    await readUntil(leader, "overview", stateOf("leading"));
    await using waiter = await planeOf(fleetYaml(), { storeUrl });
    const { clusters } = await readUntil(waiter, "overview", stateOf("waiting"));
    expect(clusters[0]?.leader).not.toBeNull();

    const { runs } = await readUntil(waiter, "runs?verdict=pass", {
      schema: runListSchema,
      until: (found) => found.runs.length > 0,
    });
    const { nodes } = await readUntil(waiter, "nodes", {
      schema: nodeListSchema,
      until: (found) => found.nodes.some(({ standing }) => standing === "pass"),
    });
    expect(nodes).toHaveLength(12);
    expect(nodes.map(({ name }) => name)).toContain(runs[0]?.node);
    const map = await read(waiter, "clusters/made-up/heatmap", heatMapSchema);
    expect(map.names).toEqual(nodes.map(({ name }) => name));

    const queue = await readUntil(waiter, "queue?cluster=made-up", {
      schema: queueSchema,
      until: ({ open, next, postponed }) => open.length + next.length + postponed.length > 0,
    });
    expect(queue.policy).toBe(clusters[0]?.policy);
    for (const { reason } of [...queue.next, ...queue.postponed]) expect(reason).not.toBe("");
    expect((await waiter.call("GET", "/api/v1/queue?cluster=nowhere")).status).toBe(404);
  });

  it("says of a cluster what only its leader knows: that failed nodes must stay open", async () => {
    const storeUrl = await server.createSchema();
    await using leader = await testedFleet({ storeUrl, acting: true });
    const hasBreaker = ({ attention }: OverviewView) =>
      attention.some(({ kind }) => kind === "breaker");
    const led = await readUntil(leader, "overview", { schema: overviewSchema, until: hasBreaker });
    await using waiter = await planeOf(fleetYaml({ speed: 1, acting: true }), { storeUrl });
    const seen = await readUntil(waiter, "overview", {
      schema: overviewSchema,
      until: (found) => found.clusters[0]?.state === "waiting" && hasBreaker(found),
    });
    const breakers = ({ attention }: OverviewView) =>
      attention.filter(({ kind }) => kind === "breaker");
    expect(breakers(seen)).toEqual(breakers(led));
  });

  it("waits for the one that both name as the leader, and leads itself when that one ends", async () => {
    const storeUrl = await server.createSchema();
    const leader = await planeOf(fleetYaml({ speed: 1 }), { storeUrl });
    const first = await readUntil(leader, "overview", stateOf("leading"));
    await using waiter = await planeOf(fleetYaml({ speed: 1 }), { storeUrl });
    const waiting = await readUntil(waiter, "overview", stateOf("waiting"));
    expect(waiting.clusters[0]?.leader).toBe(first.clusters[0]?.leader);
    await leader.plane.stop({ deadlineMs: 0 });
    const then = await readUntil(waiter, "overview", stateOf("leading"));
    expect(then.clusters[0]?.leader).not.toBe(first.clusters[0]?.leader);
  });
});
