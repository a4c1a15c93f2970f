import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { resultPath, runPaths } from "../../../../../src/validation/collect/index.ts";
import { processOf } from "../support/processes.ts";
import { createRig } from "./rig.ts";
import type { Site } from "./site.ts";

/** How results come home. */
export function describeHandingIn(of: () => Site): void {
  describe("results", () => {
    it("are taken from files, and counted once when the same is posted; nothing else is", async () => {
      const site = of();
      const [first = "", second = ""] = site.nodes;
      const rig = await createRig(site, { name: "files", posts: false });
      await rig.shut(...site.nodes);
      const loop = await rig.start();
      const runId = await rig.atGate(loop, first);
      const token = processOf(runId).env["TESSERA_RUN_TOKEN"] ?? "";
      const strangers = processOf(await rig.atGate(loop, second)).env["TESSERA_RUN_TOKEN"] ?? "";
      await rig.unshut(...site.nodes);
      await loop.until("all are judged", () => loop.told("judged").length >= site.nodes.length);
      const filed = await rig.run(runId);
      if (filed === undefined) throw new Error(`run ${runId} is not on record`);
      expect(filed).toMatchObject({ results: 1, result: { outcome: "completed", origin: "pod" } });
      expect(filed.handIns.map(({ way }) => way)).toEqual(["file"]);

      const document = await readFile(runPaths(rig.root, filed.intent).result, "utf8");
      const post = async (as: string, body: string) => {
        const headers = { authorization: `Bearer ${as}`, "content-type": "application/json" };
        const target = `${rig.url}${resultPath(runId)}`;
        return (await fetch(target, { method: "POST", headers, body })).status;
      };
      expect(await post(strangers, document)).toBe(401);
      expect(await post(token, document.replace("completed", "error"))).toBe(422);
      expect(await post(token, document)).toBe(200);
      const again = await rig.run(runId);
      expect(again).toMatchObject({ results: 1, result: filed.result });
      expect(again?.handIns.map(({ way }) => way).toSorted()).toEqual(["file", "post"]);
      expect(await loop.stop()).toMatchObject({ code: 0 });
      expect((await rig.ledger()).twice).toEqual([]);
    });
  });
}
