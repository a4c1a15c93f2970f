import { describe, expect, it, onTestFinished } from "vitest";
import { createRig, type Rig } from "../../validation/contract/rig.ts";
import { doorsOf } from "../support/doors-of.ts";
import type { SlurmGround } from "../support/ground.ts";

const name = "cleared";
const act = { mode: "on", cordonedShareMax: 0.5 };
const limits = { cooldown: "0s", retestAfter: "0s" };
const nothing = "Nothing of Tessera's is on these nodes.\n";

/** The nodes of the ground, by what is on them. */
interface Nodes {
  /** Closed by the loop, which was killed while it tested the node: its reservation alone keeps users away. */
  readonly tested: string;
  /** Drained by the loop. */
  readonly drained: string;
  /** Its comment is ours. */
  readonly marked: string;
  /** Drained by a person, who has also written a comment. */
  readonly theirs: string;
}

/** `tessera node clear`: what is left of Tessera when it goes. */
export function describeClearing(of: () => SlurmGround): void {
  describe("`tessera node clear` on nodes of Slurm", () => {
    it("opens what the loop closed when no test is under way there, and touches nothing of anybody else", async () => {
      const ground = of();
      const { slurm, site } = ground;
      // Nobody would take results by POST when the loop is gone.
      const rig = await createRig(site, { name, posts: false, validation: { act, limits } });
      const nodes = await prepare(ground, rig);
      const { tested, drained, marked, theirs } = nodes;
      const reservation = `reservation tessera-${name}-${tested}`;
      const clear = (...args: readonly string[]) =>
        rig.tessera("node", "clear", "--cluster", name, ...args);
      const doIt = ["--yes", "--reason", "Tessera is uninstalled"];
      const before = await doorsOf(slurm);
      const theirDoor = before.nodes.find((node) => node.name === theirs);

      const wished = await clear("--all", "--json");
      expect(JSON.parse(wished.stdout)).toEqual({
        dryRun: true,
        nodes: [
          { node: tested, opens: true, takesOff: [reservation] },
          { node: drained, opens: true, takesOff: [] },
          { node: marked, opens: false, takesOff: ["comment"] },
        ].map((one) => ({ cluster: name, ...one, problem: null })),
      });
      expect(await clear(theirs, ...doIt)).toMatchObject({ code: 0, stdout: nothing });
      expect(await doorsOf(slurm)).toEqual(before);

      const first = await clear("--all", ...doIt);
      expect(first.stdout).toContain(`${drained} of ${name} was opened\n`);
      expect(first.stdout).toContain(`${marked} of ${name} lost comment\n`);
      // Slurm keeps a reservation while a job of it runs.
      expect(first.stdout).toMatch(new RegExp(`${tested} of ${name} is as it was: .*in use`, "i"));
      expect(first.code).not.toBe(0);
      expect((await site.node(tested)).closed).toBe(true);
      expect(await site.node(drained)).toEqual({ closed: false, reason: "" });

      await rig.unshut(tested);
      await rig.settled();
      expect((await site.node(tested)).closed).toBe(true);
      const second = await clear(tested, ...doIt);
      expect(second).toMatchObject({
        code: 0,
        stdout: `${tested} of ${name} was opened; lost ${reservation}\n`,
      });
      const after = await doorsOf(slurm);
      expect(after.reservations).toContain("No reservations");
      const open = { states: [], reason: undefined, comment: undefined };
      expect(after.nodes).toEqual(
        site.nodes.map((node) => (node === theirs ? theirDoor : { name: node, ...open })),
      );
      const user = await site.userJob("train", tested);
      await user.end();
      expect(await clear("--all", ...doIt)).toMatchObject({ code: 0, stdout: nothing });
    });
  });
}

/** Has the loop close a node and test it, kills the loop, and puts the rest there by hand. */
async function prepare({ slurm, site }: SlurmGround, rig: Rig): Promise<Nodes> {
  const [tested = "", drained = "", marked = "", theirs = ""] = site.nodes;
  const comment = (node: string, text: string) =>
    slurm.run("scontrol", ["update", `NodeName=${node}`, `Comment=${text}`]);
  onTestFinished(async () => {
    await rig.unshut(tested);
    await rig.settled();
    // None where the test came to its end.
    const drop = ["delete", `ReservationName=tessera-${name}-${tested}`];
    await slurm.run("scontrol", drop).catch(() => {});
    for (const node of site.nodes) await site.open(node);
    for (const node of [marked, theirs]) await comment(node, "");
  });
  await rig.spoil(tested);
  const loop = await rig.start();
  await loop.until("it has failed and is drained", async () => {
    return (await site.node(tested)).reason.startsWith(`tessera/${name}: `);
  });
  await loop.until("all others have passed", () => {
    const passed = loop.told("judged").filter(({ verdict }) => verdict === "pass");
    return new Set(passed.map(({ run }) => run.node)).size === site.nodes.length - 1;
  });
  await rig.shut(tested);
  await rig.atGate(loop, tested);
  await rig.kill(loop);
  await site.close(drained, `tessera/${name}: probe failed`);
  await comment(marked, "tessera: pass");
  await site.close(theirs, "bad DIMM");
  await comment(theirs, "ask alice");
  return { tested, drained, marked, theirs };
}
