import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hcaErrorCounters } from "../../../src/validation/nccl/index.ts";

/** One card of a tree that looks like the kernel's. */
export interface FakeHca {
  readonly hca: string;
  readonly state?: string;
  readonly rate?: string;
  readonly linkLayer?: string;
  /** port_xmit_data, in words of four bytes. */
  readonly xmit?: string;
  /** All counters of errors. */
  readonly errors?: string;
}

/** Writes the cards below a folder that stands for /sys. */
export async function writeSysfs(sysfs: string, cards: readonly FakeHca[]): Promise<void> {
  for (const card of cards) {
    const folder = join(sysfs, "class/infiniband", card.hca, "ports/1");
    const files: Record<string, string> = {
      state: card.state ?? "4: ACTIVE",
      rate: card.rate ?? "400 Gb/sec (4X NDR)",
      link_layer: card.linkLayer ?? "InfiniBand",
      "counters/port_xmit_data": card.xmit ?? "1000",
    };
    for (const [index, name] of hcaErrorCounters.entries()) {
      files[`${index < 3 ? "counters" : "hw_counters"}/${name}`] = card.errors ?? "0";
    }
    await mkdir(join(folder, "counters"), { recursive: true });
    await mkdir(join(folder, "hw_counters"), { recursive: true });
    for (const [name, text] of Object.entries(files)) {
      await writeFile(join(folder, name), `${text}\n`);
    }
  }
}
