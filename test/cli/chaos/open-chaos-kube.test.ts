import { describe, expect, it, onTestFinished } from "vitest";
import { openChaosKube } from "../../../src/cli/chaos/open-chaos-kube.ts";
import { openKube } from "../../../src/cli/open-kube.ts";
import { kubeConfig, writeKubeConfig } from "../../platform/kube/support/kubeconfig.ts";
import { oneCommand, runHere } from "../in-process.ts";

/** As whom clients that a command opens make their requests. */
async function askedAs(env: Readonly<Record<string, string>>) {
  const kubeconfig = await writeKubeConfig(kubeConfig({}));
  const { table, received } = oneCommand();
  await runHere(["go"], { table, env: { TESSERA_KUBERNETES_KUBECONFIG: kubeconfig, ...env } });
  return await Promise.all(
    [openChaosKube, openKube].map(async (open) => {
      const { client } = await open(received());
      onTestFinished(() => client.close());
      return client.config.headers["Impersonate-User"];
    }),
  );
}

describe("a client for experiments", () => {
  it("has the rights of the account that the configuration names, and other clients do not", async () => {
    const account = "system:serviceaccount:tessera:experimenter";
    const env = { TESSERA_EXPERIMENTS_ACT_AS: "tessera/experimenter" };
    expect(await askedAs(env)).toEqual([account, undefined]);
  });

  it("has our own rights where none is named", async () => {
    expect(await askedAs({})).toEqual([undefined, undefined]);
  });
});
