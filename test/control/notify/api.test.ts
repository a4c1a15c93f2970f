import { describe, expect, test } from "vitest";
import { waitUntil } from "../../support/wait-until.ts";
import { startPlane } from "../support.ts";
import { startReceiver } from "./receiver.ts";
import { conclude, isListening, settings } from "./support.ts";

const path = "/api/v1/notifications";

describe("the targets", () => {
  test("are shown with their host and never with their address", async () => {
    await using receiver = await startReceiver();
    const target = { name: "hook", kind: "webhook" as const, url: receiver.url };
    await using plane = await startPlane({ notifications: { ...settings, targets: [target] } });
    const { store } = plane.plane;
    await waitUntil("it listens", () => isListening(store));
    await conclude(store, { node: "n1", verdict: "fail" });
    await waitUntil("it arrives", () => receiver.received.length === 1);
    const answer = await plane.call("GET", path);
    expect(answer.json["targets"]).toMatchObject([
      { name: "hook", kind: "webhook", host: new URL(receiver.url).host },
    ]);
    expect(JSON.stringify(answer.json) + plane.logged()).not.toContain("s3cr3t");
    const metrics = await plane.call("GET", "/metrics", { token: plane.token });
    expect(metrics.text).toContain('tessera_notifications_waiting{target="hook"} ');
  });

  test("are none without settings, and then nothing is read or kept", async () => {
    await using plane = await startPlane();
    expect((await plane.call("GET", path)).json).toEqual({ targets: [] });
    expect(await isListening(plane.plane.store)).toBe(false);
  });
});

describe("a test message", () => {
  test("says that it is one, goes out at once, and is in the audit log", async () => {
    await using receiver = await startReceiver();
    const target = { name: "hook", kind: "webhook" as const, url: receiver.url };
    await using plane = await startPlane({ notifications: { ...settings, targets: [target] } });
    const { token } = plane;
    const answer = await plane.call("POST", `${path}/hook/test`, { token });
    expect(answer.status).toBe(204);
    expect(JSON.parse(receiver.received[0]?.body ?? "")).toMatchObject({ test: true, items: [] });
    const audit = await plane.call("GET", "/api/v1/audit", { token });
    expect(JSON.stringify(audit.json)).toContain("notification.test");
  });

  test("is refused without the right to it, to a target that is not there, and says what failed", async () => {
    const target = { name: "hook", kind: "webhook" as const, url: "http://127.0.0.1:1/s3cr3t" };
    await using plane = await startPlane({ notifications: { ...settings, targets: [target] } });
    const operator = await plane.tokenOf("operate");
    const refused = await plane.call("POST", `${path}/hook/test`, { token: operator });
    expect(refused.status).toBe(403);
    const { token } = plane;
    const missing = await plane.call("POST", `${path}/other/test`, { token });
    expect(missing.json).toMatchObject({ code: "E_NOT_FOUND" });
    const failed = await plane.call("POST", `${path}/hook/test`, { token });
    expect(failed.json).toMatchObject({ status: 502, code: "E_NOTIFY_FAILED" });
    expect(JSON.stringify(failed.json)).not.toContain("s3cr3t");
  });
});
