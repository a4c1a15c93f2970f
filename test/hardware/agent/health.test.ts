import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { waitUntil } from "../../support/wait-until.ts";
import { armedFault, cudaAction } from "./support/fake-hardware.ts";
import { agentSetup, startAgent } from "./support/start-agent.ts";

/** The status of an answer to a request for another host's name. */
function statusAs(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on("error", reject).end();
  });
}

describe("the health of an agent", () => {
  it("says when it last heard of the API server, and what is in force", async () => {
    const setup = await agentSetup();
    const { cluster } = setup;
    const { healthUrl = "" } = await startAgent(setup, { healthPort: 0 });
    expect(healthUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/healthz$/);
    const nowMs = cluster.clock.nowMs();
    cluster.putFault(armedFault("one", cudaAction("s"), { nowMs }));
    await waitUntil("it is injected", () => cluster.fault("one").status?.state === "injected");
    const answer = await fetch(healthUrl);
    expect(answer.status).toBe(200);
    const health = (await answer.json()) as { lastContactAt: string };
    expect(health).toMatchObject({ node: "gpu-1", status: "ok", faultsInForce: 1 });
    expect(Date.parse(health.lastContactAt)).not.toBeNaN();
  });

  it("is no health when the API server cannot be heard", async () => {
    const setup = await agentSetup();
    const { healthUrl = "" } = await startAgent(setup, { healthPort: 0 });
    await setup.cluster.api.stop();
    await waitUntil("it says so", async () => (await fetch(healthUrl)).status === 503);
    expect(await (await fetch(healthUrl)).json()).toMatchObject({ status: "stale" });
  });

  it("answers nothing else, and to no other name", async () => {
    const { healthUrl = "" } = await startAgent(await agentSetup(), { healthPort: 0 });
    expect((await fetch(healthUrl.replace("healthz", "inject"))).status).toBe(404);
    expect((await fetch(healthUrl, { method: "POST" })).status).toBe(405);
    expect(await statusAs(healthUrl, "evil.example")).toBe(403);
  });

  it("is not served unless asked for", async () => {
    const { healthUrl } = await startAgent(await agentSetup());
    expect(healthUrl).toBeUndefined();
  });
});
