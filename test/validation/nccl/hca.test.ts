import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { chooseHcas, parseHcaListing, readHcaPorts } from "../../../src/validation/nccl/index.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { before } from "./fixtures.ts";
import { writeSysfs } from "./sysfs.ts";

describe("the cards in sysfs", () => {
  test("are read with state, rate and counters of both folders", async () => {
    const sysfs = await tempDir();
    await writeSysfs(sysfs, [
      { hca: "mlx5_0", xmit: "18446744073709551615" },
      { hca: "mlx5_1", state: "1: DOWN", rate: "100 Gb/sec (4X EDR)", linkLayer: "Ethernet" },
    ]);
    const ports = await readHcaPorts({ sysfs });
    expect(ports).toMatchObject([
      {
        hca: "mlx5_0",
        port: 1,
        linkLayer: "InfiniBand",
        active: true,
        rateGbps: 400,
        counters: { port_xmit_data: 2n ** 64n - 1n, symbol_error: 0n, out_of_sequence: 0n },
      },
      { hca: "mlx5_1", linkLayer: "Ethernet", active: false, rateGbps: 100 },
    ]);
  });

  test("are none where there is no such folder", async () => {
    expect(await readHcaPorts({ sysfs: join(await tempDir(), "nowhere") })).toEqual([]);
  });

  test("have no counter where the kernel shows something else than a number", async () => {
    const sysfs = await tempDir();
    await writeSysfs(sysfs, [{ hca: "mlx5_0" }]);
    const folder = join(sysfs, "class/infiniband/mlx5_0/ports/1/counters");
    await writeFile(join(folder, "symbol_error"), "N/A (no PMA)\n");
    await mkdir(join(folder, "a-folder"));
    const [port] = await readHcaPorts({ sysfs });
    expect(port?.counters).not.toHaveProperty("symbol_error");
    expect(port?.counters).toHaveProperty("port_xmit_data");
  });
});

describe("a listing of counters", () => {
  test("is what the cards say, and other lines are passed over", () => {
    expect(before.length).toBe(8);
    expect(before[0]).toMatchObject({
      hca: "mlx5_0",
      port: 1,
      active: true,
      rateGbps: 400,
      counters: { port_xmit_data: 9_000_000_000_000n, packet_seq_err: 0n },
    });
    expect(parseHcaListing("Mon Mar 2\ngrep: /sys: Is a directory\n")).toEqual([]);
  });
});

describe("which cards are under test", () => {
  const port = (hca: string, rateGbps: number, change = {}) => ({
    hca,
    port: 1,
    linkLayer: "InfiniBand",
    active: true,
    rateGbps,
    counters: {},
    ...change,
  });
  const ports = [
    port("mlx5_0", 400),
    port("mlx5_1", 100),
    port("mlx5_2", 400),
    port("mlx5_3", 400, { active: false }),
    port("mlx5_4", 800, { linkLayer: "Ethernet" }),
  ];

  test("are the active InfiniBand ports of the highest rate", () => {
    expect(chooseHcas({ ports })).toEqual({
      hcas: ["mlx5_0", "mlx5_2"],
      variable: "=mlx5_0:1,mlx5_2:1",
      reason: "the active InfiniBand ports of 400 Gb/s",
    });
    expect(chooseHcas({ ports: ports.slice(3) })).toBeUndefined();
  });

  test("are those that the user names, in the options before the environment", () => {
    const variable = "=mlx5_7:1,mlx5_8:1";
    expect(chooseHcas({ ports, variable })?.hcas).toEqual(["mlx5_7", "mlx5_8"]);
    expect(chooseHcas({ ports, variable, named: ["mlx5_9"] })?.hcas).toEqual(["mlx5_9"]);
    // A beginning of names, or those to leave out, names no card exactly.
    expect(chooseHcas({ ports, variable: "mlx5" })?.hcas).toEqual(["mlx5_0", "mlx5_2"]);
    expect(chooseHcas({ ports, variable: "^mlx5_0" })?.hcas).toEqual(["mlx5_0", "mlx5_2"]);
  });
});
