import { describe, expect, it } from "vitest";
import { completeShape } from "../machine/availability.ts";
import { isGoNewEnough } from "../machine/probes.ts";
import { hintFor, requirementsFor, unmet } from "../machine/requirements.ts";

const plain = completeShape({});
const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id);

describe("what a cluster needs from a machine", () => {
  it("is more for real nodes, and Go only when something must be built", () => {
    expect(ids(requirementsFor(plain, false))).not.toContain("containerd");
    expect(ids(requirementsFor({ ...plain, nodes: 1 }, false))).toContain("containerd");
    expect(ids(requirementsFor(plain, false))).not.toContain("go");
    expect(ids(requirementsFor(plain, true))).toContain("go");
  });

  it("is etcd only with Kubernetes, slurmd only with Slurm, a database only with accounting", () => {
    const slurm = completeShape({ kubernetes: false, slurm: 4 });
    expect(ids(requirementsFor(plain, false))).toContain("etcd");
    expect(ids(requirementsFor(plain, false))).not.toContain("slurmd");
    expect(ids(requirementsFor(slurm, false))).toContain("slurmd");
    expect(ids(requirementsFor(slurm, false))).not.toContain("etcd");
    expect(ids(requirementsFor(slurm, false))).not.toContain("mariadb");
    const accounting = { ...slurm, slurmAccounting: true };
    expect(ids(requirementsFor(accounting, false))).toContain("mariadb");
  });

  it("is named when it is missing, with what to do about it", () => {
    const missing = unmet(requirementsFor(plain, true), (id) => id !== "etcd" && id !== "go");
    expect(ids(missing)).toEqual(["etcd", "go"]);
    expect(hintFor(missing)).toContain("--install");
    expect(hintFor(missing)).toContain("etcd-server");
    expect(hintFor(missing)).toContain("KUBEBUILDER_ASSETS");
    expect(unmet(requirementsFor(plain, true), () => true)).toEqual([]);
  });

  it("does not send people to apt-get for what no package brings", () => {
    const missing = unmet(requirementsFor(plain, false), (id) => id !== "root");
    expect(hintFor(missing)).toBe("run it as root");
  });

  it("takes Go 1.24 and newer, nothing older and nothing else", () => {
    expect(isGoNewEnough("go version go1.24.0 linux/amd64")).toBe(true);
    expect(isGoNewEnough("go version go1.26.8 linux/amd64")).toBe(true);
    expect(isGoNewEnough("go version go2.0 linux/amd64")).toBe(true);
    expect(isGoNewEnough("go version go1.19.8 linux/amd64")).toBe(false);
    expect(isGoNewEnough("")).toBe(false);
  });
});
