import { describe, expect, it } from "vitest";
import { closureOf } from "../../../../src/validation/clusters/slurm/doors/closure.ts";
import { doChores } from "../../../../src/validation/clusters/slurm/doors/do-chores.ts";
import { reasonUsersOf } from "../../../../src/validation/clusters/slurm/doors/whose-drain.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { controlsOf, shown } from "./support/doors.ts";
import { nodeOf, scene } from "./support/slurm-cluster.ts";
import { node, who } from "./support/slurm-parts.ts";

const ours = "tessera/prod: probe: 12.1 is below 14.9";

describe("a drain of ours that somebody gave a reason of theirs", () => {
  const reserved = [
    { name: "tessera-prod-g0", nodes: ["g0"], users: ["tessera"], startAtMs: 0, endAtMs: 1 },
  ].map((one) => ({ ...one, flags: [] }));
  const closure = (reason: string, reasonBy: string, more: Partial<typeof who> = {}) =>
    closureOf(node({ flags: ["DRAIN"], reason, reasonBy }), [], { ...who, ...more }).by;
  const edited = "tessera/prod: x, RMA 4711, do not open";

  it("is theirs, though it begins with our words, is down or was being tested", () => {
    expect(closure(edited, "bob")).toBe("others");
    const down = { reason: edited, reasonBy: "bob" };
    expect(closureOf(node({ ...down, state: "DOWN" }), [], who).by).toBe("others");
    expect(closureOf(node({ ...down, flags: ["DRAIN"] }), reserved, who).by).toBe("others");
  });

  it.each([
    ["ours", "tessera"],
    ["nobody's, as far as it is told,", ""],
    ["root's", "root"],
    ["Slurm's own", "slurm"],
  ])("is ours while the name beside it is %s", (_, reasonBy) => {
    expect(closure(ours, reasonBy)).toBe("ours");
  });

  it("stays ours when Slurm adds to it, whoever Slurm runs as", () => {
    expect(closure(`${ours} : Not responding`, "slurm")).toBe("ours");
    expect(closure(`${ours} : it's low on RAM (1<2)`, "slurm")).toBe("ours");
    expect(closure(`${ours} : Not responding`, "slurm2")).toBe("others");
  });

  it("is theirs when root's text is none that we would write, also where we are root", () => {
    expect(closure("tessera/prod: don't open", "root")).toBe("others");
    expect(closure("tessera/prod: don't open", "root", { user: "root" as "tessera" })).toBe(
      "others",
    );
    expect(closure(ours, "tessera", { user: "root" as "tessera" })).toBe("others");
  });

  it("is handed to us again by asking for acceptance, whoever asks", () => {
    expect(closure("tessera:accept board changed", "bob")).toBe("ours");
  });

  it("is ours where the names beside reasons tell nothing", () => {
    expect(
      closureOf(node({ ...drainedBy("bob") }), [], { ...who, reasonUsers: undefined }).by,
    ).toBe("ours");
  });

  it("is not lifted, tested or drained again; one that Slurm added to is", async () => {
    const { slurm, open } = await scene();
    slurm.test.setSetting("slurmuser", "slurm(64030)");
    const cluster = await open();
    slurm.test.setNode("g0", drainedBy("bob"));
    await waitUntil("it is theirs", () => nodeOf(cluster, "g0")?.cordoned === true);
    expect(nodeOf(cluster, "g0")).toMatchObject({
      awaitsAcceptance: false,
      notFree: [{ code: "cordoned", text: `drained by bob: ${ours}` }],
    });
    expect(await controlsOf(cluster).uncordon("g0", "passed")).toBe(false);
    await doChores({ client: slurm, who, onDone: () => {} }, [{ kind: "lift-drain", node: "g0" }]);
    expect(await controlsOf(cluster).clear("g0")).toBeUndefined();
    expect(await shown(slurm)).toMatchObject(drainedBy("bob"));
    slurm.test.setNode("g0", { reason: `${ours} : Not responding`, reasonBy: "slurm" });
    expect(await controlsOf(cluster).uncordon("g0", "passed")).toBe(true);
    expect((await shown(slurm)).flags).toEqual([]);
  });

  function drainedBy(reasonBy: string) {
    return { flags: ["DRAIN"], reason: ours, reasonBy };
  }
});

describe("whose names stand beside reasons of ours", () => {
  const users = (major: number, minor: number, slurmuser?: string) => {
    const release = async () => ({ text: "", major, minor });
    const settings = async () => (slurmuser === undefined ? {} : { slurmuser });
    return reasonUsersOf({ release, settings }, {});
  };

  it("is root's and that of Slurm's own user", async () => {
    expect(await users(24, 11, "slurm(64030)")).toEqual(["root", "slurm"]);
    expect(await users(22, 5, "root(0)")).toEqual(["root"]);
    expect(await users(22, 5)).toEqual(["root"]);
  });

  it("is not known before 22.05, where it is that of whoever logged in", async () => {
    expect(await users(21, 8, "slurm(64030)")).toBeUndefined();
    expect(await users(22, 2, "slurm(64030)")).toBeUndefined();
  });
});
