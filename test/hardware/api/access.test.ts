import { describe, expect, it } from "vitest";
import { createTokenReviewAuthenticator } from "../../../src/hardware/api/access/index.ts";
import { VirtualClock } from "../../../src/platform/time/index.ts";
import { startFakeKube } from "../../support/fake-kube/index.ts";
import { answerReviews, startTestApi, type TestApi, xidRequest } from "./support.ts";

/** Every call, with the verb that it needs in the namespace under test. */
const calls: readonly (readonly [
  name: string,
  verb: string,
  call: (api: TestApi, user: string) => Promise<unknown>,
])[] = [
  ["fault.plan", "plan", (api, user) => api.as(user).plan(xidRequest)],
  ["fault.inject", "inject", (api, user) => api.as(user).inject(xidRequest)],
  ["run.renew", "renew", (api, user) => api.as(user).renew("run-0")],
  ["fault.revert", "revert", (api, user) => api.as(user).revert("known")],
  ["run.revert", "revert", (api, user) => api.as(user).revertRun("run-0")],
  ["fault.read", "read", (api, user) => api.as(user).get("known")],
  ["fault.list", "read", (api, user) => api.as(user).list()],
  ["fault.list", "read", (api, user) => api.as(user).list({ namespace: "prod" })],
  ["audit.read", "audit", (api, user) => api.as(user).audit({ namespace: "prod" })],
];

/** An API with one fault of Alice's. */
async function apiWithFault(): Promise<TestApi> {
  const api = await startTestApi();
  await api.as("alice").inject({ ...xidRequest, name: "known", run: "run-0" });
  return api;
}

describe("a verb", () => {
  it.each(calls)(
    "%s (%s) is refused without its right, and that is audited",
    async (action, verb, call) => {
      const api = await apiWithFault();
      for (const other of ["plan", "inject", "renew", "revert", "read", "audit"]) {
        if (other !== verb) api.rights.add(`user:bob ${other} prod`);
      }
      await expect(call(api, "bob")).rejects.toMatchObject({
        code: "E_HW_FORBIDDEN",
        httpStatus: 403,
      });
      const [entry] = await api.audit();
      expect(entry).toMatchObject({
        actor: "user:bob",
        action,
        details: { outcome: "refused", code: "E_HW_FORBIDDEN", verb },
      });
      expect((await api.as("alice").get("known")).state).toBe("armed");
    },
  );

  it.each(calls)(
    "%s (%s) is done with its right, and that is audited",
    async (action, verb, call) => {
      const api = await apiWithFault();
      api.rights.add(`user:bob ${verb} prod`);
      if (verb === "inject") await api.as("alice").revertRun("run-0");
      await call(api, "bob");
      const [entry] = await api.audit();
      expect(entry).toMatchObject({
        actor: "user:bob",
        action,
        details: { outcome: "done", verb },
      });
    },
  );

  it("counts only in the namespace it was given for", async () => {
    const api = await apiWithFault();
    api.rights.add("user:bob inject other");
    await expect(api.as("bob").inject(xidRequest)).rejects.toMatchObject({
      code: "E_HW_FORBIDDEN",
    });
    await expect(
      api.as("bob").inject({ ...xidRequest, namespace: "other" }),
    ).resolves.toMatchObject({ requestedBy: "user:bob" });
  });

  it("is not believed when the API server cannot be asked", async () => {
    const api = await apiWithFault();
    api.kube.interfere = ({ path }) =>
      path.includes("subjectaccessreviews") ? { status: 500 } : undefined;
    await expect(api.as("alice").get("known")).rejects.toMatchObject({ code: "E_KUBE_FAILED" });
  });
});

describe("a list", () => {
  it("leaves out the faults of namespaces that the caller may not read", async () => {
    const api = await apiWithFault();
    api.rights.add("user:alice inject other");
    await api.as("alice").inject({ ...xidRequest, namespace: "other" });
    expect((await api.as("alice").list()).map(({ namespace }) => namespace)).toEqual(["prod"]);
    api.rights.add("user:alice read tessera-hardware");
    expect(await api.as("alice").list()).toHaveLength(2);
  });
});

describe("a caller", () => {
  it.each([
    ["without a token", undefined, "E_TOKEN_REQUIRED"],
    ["with a token that the API server refuses", "no such", "E_TOKEN_REFUSED"],
  ])("%s is refused everywhere but at the door, and that is audited", async (_, user, code) => {
    const api = await startTestApi();
    for (const [method, path] of [
      ["GET", "/api/v1/faults"],
      ["GET", "/metrics"],
      ["GET", "/api/v1/audit"],
      ["GET", "/api/v1/faults/gpu/xid-types"],
      ["POST", "/api/v1/faults"],
      ["POST", "/api/v1/faults/x/recover"],
      ["DELETE", "/api/v1/faults/x"],
    ] as const) {
      const { status, json } = await api.send(user, method, path);
      expect([path, status, json["code"]]).toEqual([path, 401, code]);
    }
    expect(await api.audit()).toHaveLength(7);
    expect((await api.audit())[0]).toMatchObject({ actor: "anonymous", details: { code } });
    expect((await api.send(undefined, "GET", "/health")).status).toBe(200);
  });

  it("has a long token, as service accounts do", async () => {
    const api = await startTestApi();
    const long = "x".repeat(4000);
    api.rights.add(`user:${long} read prod`);
    await expect(api.as(long).list({ namespace: "prod" })).resolves.toEqual([]);
  });

  it("is named in the line of the log", async () => {
    const api = await startTestApi();
    await api.as("alice").inject(xidRequest);
    expect(api.logged()).toContain('"caller":"user:alice"');
    expect(api.logged()).not.toContain("alice-token");
  });
});

describe("an accepted token", () => {
  it("is believed for ten seconds and then asked about again", async () => {
    const clock = new VirtualClock();
    const { kube, client } = await startFakeKube();
    answerReviews(kube, new Set());
    const authenticator = createTokenReviewAuthenticator({ client, clock });
    const asked = () => kube.requests.filter(({ path }) => path.includes("tokenreviews")).length;
    const first = await authenticator.identify("alice-token");
    expect(first).toMatchObject({ name: "user:alice", user: { groups: ["testers"] } });
    await clock.advance(9_999);
    expect(await authenticator.identify("alice-token")).not.toBe(first);
    expect(asked()).toBe(1);
    await clock.advance(1);
    await authenticator.identify("alice-token");
    expect(asked()).toBe(2);
  });

  it("is not one when it was refused, however often", async () => {
    const { kube, client } = await startFakeKube();
    answerReviews(kube, new Set());
    const authenticator = createTokenReviewAuthenticator({ client, clock: new VirtualClock() });
    expect(await authenticator.identify("nobody")).toBe("unknown");
    expect(await authenticator.identify("nobody")).toBe("unknown");
    expect(kube.requests).toHaveLength(2);
  });

  it("is not one when it was made for somebody else", async () => {
    const { kube, client } = await startFakeKube();
    answerReviews(kube, new Set());
    const audiences = ["tessera-fault-api"];
    const authenticator = createTokenReviewAuthenticator({
      client,
      clock: new VirtualClock(),
      audiences,
    });
    expect(await authenticator.identify("alice-token")).toBe("unknown");
  });
});
