import { describe, expect, it } from "vitest";
import { listAll, resourceTypes } from "../../../src/platform/kube/index.ts";
import { fakeCluster } from "./support/fake-cluster.ts";

const { nodes } = resourceTypes;
const path = "/api/v1/nodes";
const project = ({ metadata }: { metadata: { name?: string } }) => metadata.name;

async function cluster(count: number) {
  const { api, client } = await fakeCluster();
  for (let at = 0; at < count; at++) api.put(path, { metadata: { name: `n${at}` } });
  return { api, client };
}

describe("listing everything", () => {
  it("follows the pages to the last one", async () => {
    const { api, client } = await cluster(7);
    const { items, resourceVersion } = await listAll(client, nodes, { project, pageSize: 3 });
    expect(items).toEqual(["n0", "n1", "n2", "n3", "n4", "n5", "n6"]);
    expect(resourceVersion).toBe("107");
    expect(api.seen.map(({ url }) => url.searchParams.get("limit"))).toEqual(["3", "3", "3"]);
  });

  it("is of one moment, whatever changes meanwhile", async () => {
    const { api, client } = await cluster(4);
    api.intercept = ({ url }) => {
      if (url.searchParams.has("continue")) api.put(path, { metadata: { name: "late" } });
      return false;
    };
    const { items, resourceVersion } = await listAll(client, nodes, { project, pageSize: 2 });
    expect(items).toEqual(["n0", "n1", "n2", "n3"]);
    expect(resourceVersion).toBe("104");
  });

  it("begins again when that moment is forgotten under way", async () => {
    const { api, client } = await cluster(4);
    let forgotten = false;
    api.intercept = ({ url }) => {
      if (url.searchParams.has("continue") && !forgotten) {
        forgotten = true;
        api.put(path, { metadata: { name: "late" } });
        api.compact();
      }
      return false;
    };
    const { items, resourceVersion } = await listAll(client, nodes, { project, pageSize: 2 });
    expect(items).toEqual(["n0", "n1", "n2", "n3", "late"]);
    expect(resourceVersion).toBe("105");
  });

  it("stops before too many objects fill the memory", async () => {
    const { client } = await cluster(4);
    await expect(
      listAll(client, nodes, { project, pageSize: 2, itemsMax: 3 }),
    ).rejects.toMatchObject({
      code: "E_KUBE_FAILED",
      message: expect.stringContaining("more than 3 objects"),
    });
  });

  it.each([
    ["something that is no list", { kind: "Pod" }, "not a list"],
    ["nothing", null, "not a list"],
    [
      "a page that promises more and has nothing",
      { metadata: { resourceVersion: "1", continue: "x" }, items: [] },
      "empty page",
    ],
  ])("does not accept %s", async (_, body, problem) => {
    const { api, client } = await cluster(0);
    api.intercept = (_request, response) => {
      response.end(JSON.stringify(body));
      return true;
    };
    await expect(listAll(client, nodes, { project })).rejects.toMatchObject({
      code: "E_KUBE_FAILED",
      message: expect.stringContaining(problem),
    });
  });
});
