import { readdir, readlink, rm } from "node:fs/promises";
import { afterEach, describe, expect, it } from "vitest";
import { networkProbe } from "../../../src/chaos/host/index.ts";
import { contextWith, programsFolder } from "../../platform/doctor/support.ts";

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function findWith(programs: Record<string, string>) {
  const folder = await programsFolder(programs);
  folders.push(folder);
  return networkProbe().find(contextWith({ PATH: `${folder}:/usr/bin:/bin` }));
}

// Stands for unshare: drops its own flags and runs the rest.
const entering = 'while [ "${1#--}" != "$1" ]; do shift; done; exec "$@"';
const refusing = "echo 'unshare failed: Operation not permitted' >&2; exit 1";
const fine = "cat >/dev/null; exit 0";
const tools = { unshare: entering, ip: fine, nft: fine, tc: fine };
const withoutNetem =
  'case "$*" in *netem*) echo "Specified qdisc kind is unknown." >&2; exit 2;; esac';

describe("networkProbe", () => {
  it("works when a namespace can be made and everything works inside", async () => {
    expect(await findWith(tools)).toMatchObject({ state: "works", evidence: { way: "root" } });
  });

  it("is limited without netem, and says how latency is made then", async () => {
    const finding = await findWith({ ...tools, tc: withoutNetem });
    expect(finding).toMatchObject({ state: "limited" });
    expect(finding.reason).toContain("Specified qdisc kind is unknown");
    expect(finding.hint).toContain("proxy");
  });

  it("is limited when nftables cannot be used inside, and says why", async () => {
    const finding = await findWith({ ...tools, nft: "echo 'no table support' >&2; exit 1" });
    expect(finding).toMatchObject({ state: "limited" });
    expect(finding.reason).toContain("nftables (no table support (exit code 1))");
  });

  it("goes through a user namespace where it may not otherwise", async () => {
    const onlyUser = `if [ "$1" != --user ]; then ${refusing}; fi; ${entering}`;
    const finding = await findWith({ ...tools, unshare: onlyUser });
    expect(finding).toMatchObject({ state: "works", evidence: { way: "user namespace" } });
    expect(finding.reason).toContain("through a user namespace");
  });

  it("is missing when no namespace can be made", async () => {
    const finding = await findWith({ ...tools, unshare: refusing });
    expect(finding).toMatchObject({ state: "missing" });
    expect(finding.reason).toContain("Operation not permitted");
  });
});

const here = process.platform === "linux";

describe.skipIf(!here)("networkProbe on this machine (skipped where it is not Linux)", () => {
  it("answers, and leaves this machine's own network as it was", async () => {
    const snapshot = async () => {
      const namespace = await readlink("/proc/self/ns/net");
      const links = await readdir("/sys/class/net");
      return [namespace, ...links].join("\n");
    };
    const before = await snapshot();
    const finding = await networkProbe().find(contextWith({ PATH: process.env["PATH"] }));
    expect(["works", "limited", "missing"]).toContain(finding.state);
    expect(await snapshot()).toBe(before);
  });
});
