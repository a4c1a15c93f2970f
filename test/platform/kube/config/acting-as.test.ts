import { describe, expect, it } from "vitest";
import { actingAs } from "../../../../src/platform/kube/index.ts";
import { fakeConfig } from "../support/fake-cluster.ts";

describe("acting as a service account", () => {
  it("asks for that account's rights and changes nothing else of the way in", () => {
    const config = fakeConfig("http://127.0.0.1:1", { headers: { "x-site": "a" } });
    const acting = actingAs(config, "tessera/tessera-reader");
    expect(acting).toEqual({
      ...config,
      headers: {
        "x-site": "a",
        "Impersonate-User": "system:serviceaccount:tessera:tessera-reader",
      },
    });
    expect(config.headers).toEqual({ "x-site": "a" });
  });

  it("keeps no group of whom the kubeconfig names: groups would add rights", () => {
    const headers = { "Impersonate-User": "root", "Impersonate-Group": ["system:masters"] };
    const config = fakeConfig("http://127.0.0.1:1", { headers });
    expect(actingAs(config, "a/b").headers).toEqual({
      "Impersonate-User": "system:serviceaccount:a:b",
    });
  });
});
