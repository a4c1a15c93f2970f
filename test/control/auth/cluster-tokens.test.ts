import { describe, expect, it } from "vitest";
import { createClusterAuthenticator } from "../../../src/control/auth/cluster-authenticator.ts";
import { VirtualClock } from "../../../src/platform/time/index.ts";
import { type FakeKube, startFakeKube } from "../../support/fake-kube/index.ts";
import { startPlane } from "../support.ts";

const tokenReviews = "/apis/authentication.k8s.io/v1/tokenreviews";
const accessReviews = "/apis/authorization.k8s.io/v1/subjectaccessreviews";

interface Reviewed {
  readonly spec: {
    readonly token?: string;
    readonly audiences?: readonly string[];
    readonly user?: string;
    readonly groups?: readonly string[];
    readonly resourceAttributes?: Record<string, string>;
  };
}

/** The token of `alice` is `token-of-alice`; she may what `rights` says: `alice operate`. */
function answerReviews(kube: FakeKube, rights: ReadonlySet<string>): void {
  kube.answerPost(tokenReviews, ({ body }) => {
    const { token = "", audiences } = (body as unknown as Reviewed).spec;
    const username = /^token-of-(\w+)$/.exec(token)?.[1];
    if (username === undefined) return { status: { authenticated: false } };
    const user = { username, uid: `uid-${username}`, groups: ["people"] };
    return { status: { authenticated: true, user, ...(audiences && { audiences }) } };
  });
  kube.answerPost(accessReviews, ({ body }) => {
    const { user, groups, resourceAttributes } = (body as unknown as Reviewed).spec;
    const { verb, group, resource } = resourceAttributes ?? {};
    const isAbout = group === "tessera.dev" && resource === "controlplanes";
    const allowed = isAbout && groups?.[0] === "people" && rights.has(`${user} ${verb}`);
    return { status: { allowed } };
  });
}

async function startCluster(rights: Iterable<string>) {
  const clock = new VirtualClock();
  const { kube, client } = await startFakeKube();
  const granted = new Set(rights);
  answerReviews(kube, granted);
  const authenticator = createClusterAuthenticator({ client, clock, audiences: [] });
  return { kube, clock, client, granted, authenticator };
}

describe("a token of Kubernetes", () => {
  it.each([
    [["alice read"], "read"],
    [["alice read", "alice operate"], "operate"],
    [["alice inject"], "inject"],
    [["alice read", "alice admin"], "admin"],
  ])("with the verbs %j has the role %s", async (rights, role) => {
    const { authenticator } = await startCluster(rights);
    expect(await authenticator.identify("token-of-alice")).toEqual({
      name: "alice",
      role,
      tokenId: "kube:uid-alice",
      user: { username: "alice", uid: "uid-alice", groups: ["people"], extra: {} },
    });
  });

  it("that the API server does not accept is unknown", async () => {
    const { authenticator } = await startCluster(["alice admin"]);
    expect(await authenticator.identify("stolen")).toBe("unknown");
  });

  it("of somebody without a verb opens nothing", async () => {
    const { authenticator } = await startCluster(["alice admin", "bob list"]);
    expect(await authenticator.identify("token-of-bob")).toBe("of somebody without rights here");
  });

  it("and its rights are believed for ten seconds, not longer", async () => {
    const { kube, clock, granted, authenticator } = await startCluster(["alice admin"]);
    await authenticator.identify("token-of-alice");
    const asked = kube.requests.length;
    granted.delete("alice admin");
    granted.add("alice read");
    await clock.advance(9_000);
    expect(await authenticator.identify("token-of-alice")).toMatchObject({ role: "admin" });
    expect(kube.requests).toHaveLength(asked);
    await clock.advance(2_000);
    expect(await authenticator.identify("token-of-alice")).toMatchObject({ role: "read" });
  });

  it("lets nobody in while the API server cannot be asked", async () => {
    const { kube, authenticator } = await startCluster(["alice admin"]);
    kube.interfere = () => ({ status: 500 });
    await expect(authenticator.identify("token-of-alice")).rejects.toMatchObject({
      code: "E_KUBE_FAILED",
    });
  });

  it("must be for one of the audiences, where there are some", async () => {
    const { kube, client, clock } = await startCluster(["alice admin"]);
    const audiences = ["tessera"];
    const authenticator = createClusterAuthenticator({ client, clock, audiences });
    expect(await authenticator.identify("token-of-alice")).toMatchObject({ role: "admin" });
    kube.answerPost(tokenReviews, () => ({
      status: { authenticated: true, user: { username: "bob" }, audiences: ["another"] },
    }));
    expect(await authenticator.identify("token-of-bob")).toBe("unknown");
  });
});

describe("a control plane", () => {
  async function startInCluster(enabled: boolean) {
    const { kube, client } = await startFakeKube();
    answerReviews(kube, new Set(["alice operate"]));
    const server = { clusterTokens: { enabled, audiences: [] } };
    return { kube, test: await startPlane({ kube: client, server }) };
  }

  it("takes tokens of Kubernetes besides its own, and asks nobody about its own", async () => {
    const { kube, test } = await startInCluster(true);
    await using _ = test;
    const run = (token: string) => test.call("POST", "/api/v1/doctor/runs", { token });
    expect((await run("token-of-alice")).status).toBe(200);
    expect((await run("token-of-bob")).json["detail"]).toContain("without rights here");
    // Tokens of service accounts are long.
    expect((await run("x".repeat(4000))).json["detail"]).toContain("unknown");
    const asked = kube.requests.length;
    expect((await run(test.token)).status).toBe(200);
    expect((await run("tessera_unknown")).status).toBe(401);
    expect(kube.requests).toHaveLength(asked);
    const session = await test.call("GET", "/api/v1/session", { token: "token-of-alice" });
    expect(session.json).toMatchObject({
      caller: "alice",
      role: "operate",
      acceptsClusterTokens: true,
    });
    const audit = await test.call("GET", "/api/v1/audit");
    expect(audit.text).toContain('"tokenId":"kube:uid-alice"');
    expect(test.logged()).not.toContain("token-of-alice");
  });

  it("takes none of them unless it was told to", async () => {
    const { kube, test } = await startInCluster(false);
    await using _ = test;
    const answer = await test.call("GET", "/api/v1/status", { token: "token-of-alice" });
    expect([answer.status, answer.json["code"]]).toEqual([401, "E_TOKEN_REFUSED"]);
    expect(kube.requests).toHaveLength(0);
  });
});
