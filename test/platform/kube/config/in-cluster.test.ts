import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { loadKubeConfig } from "../../../../src/platform/kube/index.ts";
import { VirtualClock } from "../../../../src/platform/time/index.ts";
import { tempDir } from "../../../support/temp-dir.ts";
import {
  type Certificates,
  makeCertificates,
  noCertificatesReason,
} from "../support/certificates.ts";
import { writeIn } from "../support/kubeconfig.ts";

const title = `a pod's service account${noCertificatesReason === undefined ? "" : ` (skipped: ${noCertificatesReason})`}`;

describe.skipIf(noCertificatesReason !== undefined)(title, () => {
  let certificates: Certificates;
  beforeAll(() => {
    certificates = makeCertificates();
  });

  async function mount(): Promise<string> {
    const folder = await tempDir();
    await writeIn(folder, "ca.crt", certificates.ca);
    await writeIn(folder, "token", "first\n");
    await writeIn(folder, "namespace", "tessera\n");
    return folder;
  }

  function load(serviceAccountDir: string, host = "10.0.0.1", clock = new VirtualClock()) {
    const env = {
      HOME: serviceAccountDir,
      KUBERNETES_SERVICE_HOST: host,
      KUBERNETES_SERVICE_PORT: "443",
    };
    return loadKubeConfig({ env, clock, serviceAccountDir });
  }

  it("is used when there is no kubeconfig", async () => {
    const config = await load(await mount());
    expect(config).toMatchObject({
      context: "in-cluster",
      source: "service account",
      namespace: "tessera",
      tls: { insecure: false, caPem: certificates.ca },
    });
    expect(config.server.href).toBe("https://10.0.0.1/");
    expect((await load(await mount(), "fd00::1")).server.href).toBe("https://[fd00::1]/");
  });

  it("has a token that is read again when it is old or was refused", async () => {
    const folder = await mount();
    const clock = new VirtualClock();
    const { credentials } = await load(folder, "10.0.0.1", clock);
    expect(await credentials.get()).toEqual({ authorization: "Bearer first" });
    await writeFile(join(folder, "token"), "second");
    expect(await credentials.get()).toEqual({ authorization: "Bearer first" });
    await clock.advance(60_000);
    expect(await credentials.get()).toEqual({ authorization: "Bearer second" });
    await writeFile(join(folder, "token"), "third");
    expect(credentials.refresh()).toBe(true);
    expect(await credentials.get()).toEqual({ authorization: "Bearer third" });
  });

  it("with an empty token cannot be used, and says so when it is needed", async () => {
    const folder = await mount();
    const { credentials } = await load(folder);
    await writeFile(join(folder, "token"), "\n");
    await expect(credentials.get()).rejects.toMatchObject({
      code: "E_KUBE_CREDENTIALS",
      message: expect.stringContaining("token is empty"),
    });
  });
});
