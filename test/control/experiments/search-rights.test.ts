import { describe, expect, test } from "vitest";
import { example, experimentProgram, longText } from "./support.ts";

const program = experimentProgram();
const path = "/api/v1/experiments";

describe("a search", () => {
  test("of a smaller experiment may be stopped by who may begin it, and what breaks things may not", async () => {
    await using plane = await program.plane();
    const token = await plane.tokenOf("operate");
    const { id } = await plane.start(await example("kill-gpu-must-fail"));
    await plane.ended(id);
    const search = () => plane.call("POST", `${path}/${id}/minimise`, { token });
    expect((await search()).status).toBe(202);
    const stopped = await plane.call("POST", `${path}/${id}/stop`, { token });
    expect(stopped).toMatchObject({ status: 200, json: { state: "finished" } });
    expect((await plane.detail(id)).reproducer).toMatchObject({
      state: "failed",
      reason: "stopped by a operate",
    });
    const running = await plane.start(longText);
    const refused = await plane.call("POST", `${path}/${running.id}/stop`, { token });
    expect(refused).toMatchObject({ status: 403, json: { code: "E_ROLE_INSUFFICIENT" } });
    expect(["waiting", "running"]).toContain((await plane.detail(running.id)).state);
  });
});
