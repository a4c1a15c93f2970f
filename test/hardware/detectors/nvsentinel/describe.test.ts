import { describe, expect, it } from "vitest";
import { describeNvSentinel } from "../../../../src/hardware/detectors/index.ts";
import { fakeNodes } from "../support/fake-nodes.ts";

describe("describeNvSentinel", () => {
  it("finds the parts by their Deployments and DaemonSets", async () => {
    const { api, client } = await fakeNodes();
    const put = (plural: string, name: string) =>
      api.put(`/apis/apps/v1/${plural}`, { metadata: { name, namespace: "nvsentinel" } });
    expect((await describeNvSentinel(client)).parts).toEqual([]);
    put("deployments", "fault-quarantine");
    put("deployments", "nvsentinel-janitor-provider");
    put("daemonsets", "syslog-health-monitor-regular");
    expect((await describeNvSentinel(client)).parts).toEqual([
      "syslog-health-monitor",
      "fault-quarantine",
    ]);
    put("deployments", "nvsentinel-janitor");
    expect((await describeNvSentinel(client)).parts).toContain("janitor");
  });

  it("throws where the API cannot be asked", async () => {
    const { api, client } = await fakeNodes();
    api.failNext("any", { status: 403 });
    await expect(describeNvSentinel(client)).rejects.toThrow();
  });
});
