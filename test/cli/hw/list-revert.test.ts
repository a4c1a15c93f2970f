import { describe, expect, it } from "vitest";
import { partitionRequest, startTestApi, xidRequest } from "../../hardware/api/support.ts";
import { collections } from "../../support/fake-kube/index.ts";
import { runHw } from "./run-hw.ts";

describe("tessera hw list", () => {
  it("shows what is in force, and with --all what is over", async () => {
    const api = await startTestApi();
    const as = { user: "alice" };
    await api.as("alice").inject({ ...xidRequest, name: "one" });
    await api.as("alice").inject({ ...partitionRequest, name: "two" });
    await api.as("alice").revert("two");
    const { code, stdout } = await runHw(["hw", "list", "--api-url", api.url], as);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ID +STATE +KIND/);
    expect(stdout).toMatch(/one +armed +xid +gpu-1\/gpu0 +run-1 .*user:alice/);
    expect(stdout).not.toContain("two");
    const all = await runHw(["hw", "list", "--all", "--json", "--api-url", api.url], as);
    expect(
      JSON.parse(all.stdout)
        .map(({ id }: { id: string }) => id)
        .toSorted(),
    ).toEqual(["one", "two"]);
  });

  it("says that nothing is in force", async () => {
    const api = await startTestApi();
    const line = ["hw", "list", "--namespace", "prod", "--api-url", api.url];
    expect((await runHw(line, { user: "alice" })).stdout).toBe("No fault is in force.\n");
  });

  it("ends with 1 for somebody who may not, and with 3 when nothing is known", async () => {
    const api = await startTestApi();
    const refused = await runHw(["hw", "list", "--api-url", api.url], { user: "bob" });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("user:bob may not read");
    const unknown = await runHw(["hw", "list", "--api-url", "http://127.0.0.1:1"], { user: "bob" });
    expect([unknown.code, unknown.stdout]).toEqual([3, ""]);
  });

  it("names the way to a token when there is none", async () => {
    const { code, stderr } = await runHw(["hw", "list", "--api-url", "http://127.0.0.1:1"], {});
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/kubeconfig|TESSERA_FAULT_API_TOKEN/);
  });
});

describe("tessera hw revert", () => {
  it.each([
    ["one by its id", ["one"]],
    ["those of a run", ["--run", "run-1"]],
    ["all there are", ["--all"]],
  ])("takes back %s and waits for it", async (_, what) => {
    const api = await startTestApi();
    await api.as("alice").inject({ ...partitionRequest, name: "one" });
    const { code, stdout } = await runHw(["hw", "revert", ...what, "--api-url", api.url], {
      user: "alice",
    });
    expect([code, stdout]).toEqual([0, "one is reverted\n"]);
    expect(api.kube.get(collections.networkPolicies, "prod/tessera-one")).toBeUndefined();
  });

  it("goes on after one that cannot be taken back, and tells all that failed", async () => {
    const api = await startTestApi();
    for (const name of ["one", "two", "three"])
      await api.as("alice").inject({ ...partitionRequest, name });
    api.kube.interfere = ({ method, path }) =>
      method === "DELETE" && /tessera-(one|two)$/.test(path) ? { status: 500 } : undefined;
    const line = ["hw", "revert", "--all", "--timeout", "1s", "--api-url", api.url];
    const { code, stdout, stderr } = await runHw(line, { user: "alice" });
    expect(code).not.toBe(0);
    expect(stdout).toBe("three is reverted\n");
    for (const name of ["one", "two"]) expect(stderr).toContain(`The end of fault ${name}`);
    api.kube.interfere = () => undefined;
  });

  it("names what it left alone", async () => {
    const api = await startTestApi();
    await api.as("alice").inject({ ...xidRequest, name: "one" });
    // Somebody closes the node by hand meanwhile: that is theirs.
    api.kube.edit(collections.nodes, "gpu-1", (node) => {
      node["spec"] = { unschedulable: true };
    });
    const { code, stdout } = await runHw(["hw", "revert", "one", "--api-url", api.url], {
      user: "alice",
    });
    expect(code).toBe(0);
    expect(stdout).toContain("left as it is:");
    expect(api.kube.get(collections.nodes, "gpu-1")?.["spec"]).toMatchObject({
      unschedulable: true,
    });
  });

  it.each([
    ["nothing", []],
    ["two things", ["one", "--all"]],
  ])("does not guess when told %s", async (_, what) => {
    const { code, stderr } = await runHw(["hw", "revert", ...what], { user: "alice" });
    expect(code).toBe(2);
    expect(stderr).toContain("exactly one of");
  });

  it("says that there is no such fault", async () => {
    const api = await startTestApi();
    const { code, stderr } = await runHw(["hw", "revert", "none", "--api-url", api.url], {
      user: "alice",
    });
    expect(code).toBe(2);
    expect(stderr).toContain("There is no hardware fault none");
  });
});
