import { expect, it } from "vitest";
import type { SlurmClient } from "../../../../src/platform/slurm/index.ts";
import { VirtualClock } from "../../../../src/platform/time/index.ts";
import { OwnIdentity } from "../../../../src/validation/clusters/slurm/own-identity.ts";
import { createFakeSlurm } from "../../../platform/slurm/fake-slurm.ts";

it("who writes reasons is asked again when the tools are of another release, and only then", async () => {
  const slurm = createFakeSlurm({ clock: new VirtualClock() });
  slurm.test.setSetting("slurmuser", "slurm(64030)");
  const release = { text: "21.08.5", major: 21, minor: 8 };
  const client: SlurmClient = { ...slurm, release: async () => ({ ...release }) };
  const identity = new OwnIdentity(client, { cluster: "prod", user: "tessera", store: "5ad0beef" });
  const settingsAsked = () => slurm.test.calls.filter((call) => call === "settings").length;
  // Until it is told, nobody's reasons are ours as well.
  expect(identity.who.reasonUsers).toEqual([]);
  expect((await identity.told()).reasonUsers).toBeUndefined();
  Object.assign(release, { text: "23.11.4", major: 23, minor: 11 });
  expect((await identity.told()).reasonUsers).toEqual(["root", "slurm"]);
  expect(identity.who.reasonUsers).toEqual(["root", "slurm"]);
  expect((await identity.told()).reasonUsers).toEqual(["root", "slurm"]);
  expect(settingsAsked()).toBe(1);
});
