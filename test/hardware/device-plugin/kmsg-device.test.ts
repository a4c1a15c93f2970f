import { existsSync } from "node:fs";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runKmsgDevice } from "../../../src/hardware/device-plugin/index.ts";
import { readRegistration } from "../../../src/hardware/device-plugin/messages.ts";
import { createRealClock } from "../../../src/platform/time/index.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { callRaw, dial, FakeKubelet, followRaw, frame } from "./support/raw-grpc.ts";

const service = "/v1beta1.DevicePlugin";
const healthy = "0a110a066b6d73672d3012074865616c746879";
const unhealthy = "0a130a066b6d73672d301209556e6865616c746879";
const lastHex = ({ messages }: { messages: Buffer[] }) => messages.at(-1)?.toString("hex");

async function plugin(options: { readonly path?: string; readonly devices?: number } = {}) {
  const folder = await tempDir();
  const kubeletPath = join(folder, "kubelet.sock");
  const socketPath = join(folder, "tessera-kmsg.sock");
  const controller = new AbortController();
  const warnings: unknown[] = [];
  const log = { info: () => undefined, warn: (fields: unknown) => warnings.push(fields) };
  const start = () => {
    const done = runKmsgDevice({
      folder,
      devices: options.devices ?? 1,
      path: options.path ?? "/dev/null",
      clock: createRealClock(),
      log: log as never,
      signal: controller.signal,
      intervalMs: 5,
    });
    onTestFinished(async () => {
      controller.abort();
      await done.catch(() => undefined);
    });
    return done;
  };
  return { folder, kubeletPath, socketPath, controller, warnings, start };
}

describe("the device plugin for the kernel log", () => {
  it("registers with the kubelet, lists its devices and hands the device out", async () => {
    const { kubeletPath, socketPath, start } = await plugin();
    const kubelet = await FakeKubelet.start(kubeletPath);
    void start();
    await waitUntil("it is registered", () => kubelet.registrations.length === 1);
    expect(readRegistration(kubelet.registrations[0] ?? Buffer.alloc(0))).toEqual({
      version: "v1beta1",
      endpoint: "tessera-kmsg.sock",
      resource: "tessera.dev/kmsg",
    });
    const session = dial(socketPath);
    const list = followRaw(session, `${service}/ListAndWatch`);
    await waitUntil("the list came", () => lastHex(list) === healthy);
    const ids = Buffer.from("0a080a066b6d73672d30", "hex");
    const answer = await callRaw(session, `${service}/Allocate`, frame(ids));
    expect(answer.status).toBe("0");
    const text = answer.messages[0]?.toString("latin1") ?? "";
    expect(text).toContain("\x0a\x09/dev/kmsg\x12\x09/dev/null\x1a\x02rw");
    for (const method of [
      "GetDevicePluginOptions",
      "PreStartContainer",
      "GetPreferredAllocation",
    ]) {
      const { status, messages } = await callRaw(
        session,
        `${service}/${method}`,
        frame(new Uint8Array()),
      );
      expect({ status, hex: messages[0]?.toString("hex") }).toEqual({ status: "0", hex: "" });
    }
  });

  it("refuses devices it has not, methods it has not, and what is no gRPC", async () => {
    const { kubeletPath, socketPath, start } = await plugin();
    await FakeKubelet.start(kubeletPath);
    void start();
    await waitUntil("it listens", () => existsSync(socketPath));
    const session = dial(socketPath);
    const strange = Buffer.from("0a080a066b6d73672d39", "hex");
    const one = await callRaw(session, `${service}/Allocate`, frame(strange));
    expect(one).toMatchObject({ status: "3", problem: "there is no device kmsg-9" });
    expect(await callRaw(session, `${service}/Other`, frame(strange))).toMatchObject({
      status: "12",
    });
    const cut = frame(Buffer.from("0aff", "hex"));
    expect(await callRaw(session, `${service}/Allocate`, cut)).toMatchObject({ status: "3" });
    expect(await callRaw(session, `${service}/Allocate`, new Uint8Array())).toMatchObject({
      status: "3",
    });
    const plain = { "content-type": "text/plain" };
    expect(await callRaw(session, `${service}/Allocate`, cut, plain)).toMatchObject({
      status: "http 415",
    });
  });

  it("says that the device is unhealthy when it is gone, and healthy when it is back", async () => {
    const folder = await tempDir();
    const path = join(folder, "device");
    await symlink("/dev/null", path);
    const { kubeletPath, socketPath, start, warnings } = await plugin({ path });
    await FakeKubelet.start(kubeletPath);
    void start();
    await waitUntil("it listens", () => existsSync(socketPath));
    const list = followRaw(dial(socketPath), `${service}/ListAndWatch`);
    await waitUntil("it is healthy", () => lastHex(list) === healthy);
    await rm(path);
    await waitUntil("it is unhealthy", () => lastHex(list) === unhealthy);
    expect(warnings).toHaveLength(1);
    await writeFile(path, "a file is no device");
    await rm(path);
    await symlink("/dev/null", path);
    await waitUntil("it is healthy again", () => lastHex(list) === healthy);
  });

  it("registers anew when the kubelet restarts and clears its folder", async () => {
    const { kubeletPath, socketPath, start } = await plugin();
    const first = await FakeKubelet.start(kubeletPath);
    void start();
    await waitUntil("it is registered", () => first.registrations.length === 1);
    await first.stop();
    await rm(kubeletPath, { force: true });
    await rm(socketPath, { force: true });
    const second = await FakeKubelet.start(kubeletPath);
    await waitUntil("it is registered anew", () => second.registrations.length >= 1);
    await waitUntil("it listens again", () => existsSync(socketPath));
    const list = followRaw(dial(socketPath), `${service}/ListAndWatch`);
    await waitUntil("the list came", () => lastHex(list) === healthy);
  });

  it("waits for a kubelet that is not there yet or says no, and says so once", async () => {
    const { kubeletPath, start, warnings } = await plugin();
    void start();
    const kubelet = await FakeKubelet.start(kubeletPath);
    kubelet.refuses = true;
    await waitUntil("it was refused", () => warnings.length > 0);
    kubelet.refuses = false;
    await waitUntil("it is registered", () => kubelet.registrations.length === 1);
    const refusals = warnings.filter((one) => JSON.stringify(one).includes("not now"));
    expect(refusals.length).toBeLessThanOrEqual(1);
  });

  it("takes its socket away when it ends, also one that an earlier life left", async () => {
    const { socketPath, controller, start } = await plugin();
    await writeFile(socketPath, "left over");
    const done = start();
    await waitUntil("it listens", async () => {
      const session = dial(socketPath);
      return new Promise<boolean>((resolve) => {
        session.on("connect", () => resolve(true));
        session.on("error", () => resolve(false));
      });
    });
    controller.abort();
    await done;
    expect(existsSync(socketPath)).toBe(false);
  });

  it("fails with its reason where it cannot listen", async () => {
    const { socketPath, start } = await plugin();
    await mkdir(join(socketPath, "in-the-way"), { recursive: true });
    await expect(start()).rejects.toMatchObject({
      code: "E_HW_FAILED",
    });
  });
});
