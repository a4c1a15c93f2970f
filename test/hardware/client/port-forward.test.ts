import { chmod, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { createFaultClient, openPortForward } from "../../../src/hardware/client/index.ts";
import { forwardedPort } from "../../../src/hardware/client/port-forward.ts";
import { createRealClock } from "../../../src/platform/time/index.ts";
import { isRunning } from "../../support/is-running.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { waitUntil } from "../../support/wait-until.ts";

const clock = createRealClock();

/** A program that stands for kubectl: prints these lines and then does this. */
async function fakeKubectl(lines: readonly string[], then: string): Promise<string> {
  const path = join(await tempDir(), "kubectl");
  const printed = lines.map((line) => `console.log(${JSON.stringify(line)});`).join("\n");
  await writeFile(path, `#!${process.execPath}\n${printed}\n${then}\n`);
  await chmod(path, 0o755);
  return path;
}

describe("a forwarded port", () => {
  it("is the one that kubectl says, on the loopback address, and goes with its scope", async () => {
    const folder = await tempDir();
    const seen = join(folder, "seen");
    const kubectl = await fakeKubectl(
      ["Forwarding from 127.0.0.1:40123 -> 8080", "Forwarding from [::1]:40123 -> 8080"],
      `require("node:fs").writeFileSync(${JSON.stringify(seen)}, JSON.stringify([process.pid, ...process.argv.slice(2)])); setInterval(() => {}, 1000);`,
    );
    const forward = await openPortForward({ clock, kubectl, kubeconfig: "/k", context: "c" });
    expect(forward.url).toBe("http://127.0.0.1:40123");
    const { readFile } = await import("node:fs/promises");
    const written = async () => (await readFile(seen, "utf8").catch(() => "")) !== "";
    await waitUntil("it has told how it was called", written);
    const [pid, ...given] = JSON.parse(await readFile(seen, "utf8")) as [number, ...string[]];
    expect(given).toEqual([
      "--kubeconfig=/k",
      "--context=c",
      "port-forward",
      "--namespace=tessera-hardware",
      "--address=127.0.0.1",
      "deployment/tessera-fault-api",
      ":8080",
    ]);
    await forward[Symbol.asyncDispose]();
    expect(isRunning(pid)).toBe(false);
  });

  it("is dead with kubectl: nobody who listens there later gets a token", async () => {
    const heard: unknown[] = [];
    const server = createServer((request, response) => {
      heard.push(request.headers.authorization);
      response.end('{"faults":[]}');
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const kubectl = await fakeKubectl(
      [`Forwarding from 127.0.0.1:${port} -> 8080`],
      'console.error("error: lost connection to pod"); setInterval(() => {}, 1000);',
    );
    await using forward = await openPortForward({ clock, kubectl });
    const client = createFaultClient({ url: forward.address, token: "secret", clock });
    expect(await client.list()).toEqual([]);
    await forward[Symbol.asyncDispose]();
    heard.length = 0;
    for (const call of [() => client.list(), () => client.renew("r"), () => client.revert("x")]) {
      await expect(call()).rejects.toMatchObject({
        code: "E_HW_API_UNREACHABLE",
        message: expect.stringContaining("error: lost connection to pod"),
      });
    }
    expect(heard).toEqual([]);
    expect(() => forward.address()).toThrow(/lost connection/);
  });

  it("is dead when kubectl ends by itself", async () => {
    const kubectl = await fakeKubectl(["Forwarding from 127.0.0.1:40124 -> 8080"], "");
    await using forward = await openPortForward({ clock, kubectl });
    const isDead = () => {
      try {
        forward.address();
        return false;
      } catch {
        return true;
      }
    };
    await waitUntil("its end was noticed", isDead);
  });

  it("is an error without kubectl, which names it and the way around it", async () => {
    await expect(openPortForward({ clock, kubectl: "/none/kubectl" })).rejects.toMatchObject({
      code: "E_HW_API_UNREACHABLE",
      message: expect.stringContaining("/none/kubectl"),
      hint: expect.stringContaining("--api-url"),
    });
  });

  it("is an error with kubectl's last words when it ends", async () => {
    const kubectl = await fakeKubectl([], 'console.error("error: forbidden"); process.exit(1);');
    await expect(openPortForward({ clock, kubectl })).rejects.toMatchObject({
      code: "E_HW_API_UNREACHABLE",
      message: expect.stringContaining("error: forbidden"),
    });
  });

  it("is an error when kubectl never gets ready", async () => {
    const kubectl = await fakeKubectl(["waiting"], "setInterval(() => {}, 1000);");
    await expect(openPortForward({ clock, kubectl, timeoutMs: 200 })).rejects.toMatchObject({
      code: "E_HW_API_UNREACHABLE",
    });
  });
});

describe("the line of kubectl", () => {
  it("tells a port from 1 to 65535 and nothing else", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 65_535 }), (port) => {
        expect(forwardedPort(`Forwarding from 127.0.0.1:${port} -> 8080`)).toBe(port);
      }),
    );
    fc.assert(
      fc.property(fc.string(), (line) => {
        expect(forwardedPort(line)).toBeUndefined();
      }),
    );
    expect(forwardedPort("Forwarding from 127.0.0.1:70000 -> 8080")).toBeUndefined();
    expect(forwardedPort("Forwarding from 0.0.0.0:80 -> 8080")).toBeUndefined();
  });
});
