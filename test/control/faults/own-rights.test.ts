import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { planFault } from "../../../src/hardware/plan/index.ts";
import { startTestApi } from "../../hardware/api/support.ts";
import { goodFacts, request } from "../../hardware/guard/support.ts";
import { startFakeKube } from "../../support/fake-kube/index.ts";
import { answerReviews } from "../../support/fake-kube/reviews.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { startPlane } from "../support.ts";

const path = "/api/v1/faults";
const body = { namespace: "prod", node: "gpu-1", durationSeconds: 60 };
const inControlPlane = "inject controlplanes";

/** A control plane whose injector may break `prod`, for people with these rights of the cluster. */
async function start(rights: readonly string[]) {
  const { kube, client } = await startFakeKube();
  answerReviews(kube, rights);
  const api = await startTestApi({ plan: planFault(request(), goodFacts()) });
  const tokenFile = join(await tempDir(), "token");
  await writeFile(tokenFile, "alice-token\n");
  return startPlane({
    kube: client,
    server: { clusterTokens: { enabled: true, audiences: [] } },
    settings: { hardware: { faultApiUrl: api.url, tokenFile } },
  });
}

describe("somebody whom the cluster vouches for", () => {
  it("breaks what they may break themselves, and takes it back", async () => {
    const verbs = ["plan", "inject", "revert"].map((verb) => `eve ${verb} hardwarefaults in prod`);
    await using plane = await start([`eve ${inControlPlane}`, ...verbs]);
    const token = "token-of-eve";
    expect(await plane.call("POST", `${path}/plan`, { token, json: body })).toMatchObject({
      status: 200,
    });
    const made = await plane.call("POST", path, { token, json: body });
    expect(made.status).toBe(201);
    const id = String(made.json["id"]);
    expect((await plane.call("POST", `${path}/${id}/revert`, { token })).status).toBe(200);
  });

  it("breaks nothing through this server that they may not break themselves", async () => {
    const elsewhere = "eve inject hardwarefaults in lab";
    await using plane = await start([`eve ${inControlPlane}`, elsewhere]);
    const token = "token-of-eve";
    const forbidden = { status: 403, json: { code: "E_HW_FORBIDDEN" } };
    expect(await plane.call("POST", `${path}/plan`, { token, json: body })).toMatchObject(
      forbidden,
    );
    const refused = await plane.call("POST", path, { token, json: body });
    expect(refused).toMatchObject(forbidden);
    expect(refused.json["detail"]).toContain(
      "eve may not inject hardware faults in namespace prod",
    );
    expect((await plane.call("GET", path, { token })).json).toMatchObject({ faults: [] });
    // A token of our own stands for nobody there: its role is what counts.
    const made = await plane.call("POST", path, { token: plane.token, json: body });
    expect(made.status).toBe(201);
    const id = String(made.json["id"]);
    expect(await plane.call("POST", `${path}/${id}/revert`, { token })).toMatchObject(forbidden);
  });
});
