import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { membershipsIn, mountsIn } from "../../../src/chaos/host/cgroup-probe.ts";
import { cgroupProbe } from "../../../src/chaos/host/index.ts";
import { contextWith } from "../../platform/doctor/support.ts";

let root = "";
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "tessera-cgroup-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

interface Machine {
  /** Folders with their `cgroup.controllers`, or null for a group of version 1. */
  readonly groups: Record<string, string | null>;
  readonly mounts: string;
  readonly membership: string;
}

/** Lays out a machine's files below a folder and asks the probe about it. */
async function findOn(name: string, machine: Machine) {
  const base = join(root, name);
  await mkdir(base, { recursive: true });
  for (const [path, controllers] of Object.entries(machine.groups)) {
    await mkdir(join(base, path), { recursive: true });
    if (controllers !== null) await writeFile(join(base, path, "cgroup.controllers"), controllers);
  }
  const mountsPath = join(base, "mounts");
  const membershipPath = join(base, "cgroup");
  await writeFile(mountsPath, machine.mounts.replaceAll("ROOT", base));
  await writeFile(membershipPath, machine.membership);
  return cgroupProbe({ mountsPath, membershipPath }).find(contextWith());
}

describe("cgroupProbe", () => {
  it("works with version 2 and all controllers in the group of this process", async () => {
    const finding = await findOn("v2", {
      groups: { "fs/user.slice": "cpuset cpu io memory pids\n" },
      mounts: "cgroup2 ROOT/fs cgroup2 rw,nosuid 0 0\n",
      membership: "0::/user.slice\n",
    });
    expect(finding).toMatchObject({ state: "works", evidence: { versions: [2] } });
  });

  it("is limited when a controller is not enabled for this process", async () => {
    const finding = await findOn("v2-part", {
      groups: { "fs/user.slice": "memory pids\n" },
      mounts: "cgroup2 ROOT/fs cgroup2 rw 0 0\n",
      membership: "0::/user.slice\n",
    });
    expect(finding).toMatchObject({ state: "limited" });
    expect(finding.reason).toContain("may not limit cpu, io");
  });

  it("knows version 1, where the disk controller has another name", async () => {
    const controllers = ["memory", "cpu", "blkio"];
    const finding = await findOn("v1", {
      groups: Object.fromEntries(controllers.map((name) => [`fs/${name}`, null])),
      mounts: controllers
        .map((name) => `cgroup ROOT/fs/${name} cgroup rw,relatime,${name} 0 0\n`)
        .join(""),
      membership: controllers.map((name, index) => `${index + 1}:${name}:/\n`).join(""),
    });
    expect(finding).toMatchObject({ state: "works", evidence: { versions: [1] } });
  });

  it("is missing where nothing is mounted", async () => {
    const finding = await findOn("none", {
      groups: {},
      mounts: "proc /proc proc rw 0 0\n",
      membership: "",
    });
    expect(finding).toMatchObject({ state: "missing", reason: "No control groups are mounted." });
  });

  it("is missing where the kernel tells nothing at all", async () => {
    const absent = join(root, "no-such-file");
    const probe = cgroupProbe({ mountsPath: absent, membershipPath: absent });
    expect(await probe.find(contextWith())).toMatchObject({ state: "missing" });
  });
});

describe("reading the kernel's lists", () => {
  it("takes hierarchies of both versions from the mounts and nothing else", () => {
    const text = [
      "tmpfs /sys/fs/cgroup tmpfs rw 0 0",
      "cgroup /sys/fs/cgroup/memory cgroup rw,memory 0 0",
      "cgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0",
      "",
    ].join("\n");
    expect(mountsIn(text).map(({ path, version }) => [path, version])).toEqual([
      ["/sys/fs/cgroup/memory", 1],
      ["/sys/fs/cgroup/unified", 2],
    ]);
  });

  it("takes the group of this process for each controller", () => {
    const own = membershipsIn("4:memory:/a/b\n3:cpu,cpuacct:/c\n0::/d:e\n");
    expect([...own]).toEqual([
      ["memory", "/a/b"],
      ["cpu", "/c"],
      ["cpuacct", "/c"],
      ["", "/d:e"],
    ]);
  });
});
