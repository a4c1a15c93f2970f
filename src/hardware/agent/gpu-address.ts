import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "../../platform/errors/index.ts";
import { readTextFile } from "../../platform/files/index.ts";
import type { GpuChoice } from "../objects/index.ts";
import { pciOf } from "../xid/index.ts";

/** A GPU's address as lines of the kernel give it: `0000:3b:00`. */
export type PciAddress = string;

const gpusMax = 256;
const informationBytesMax = 65_536;

/**
 * Where a GPU of this node is. An address that was given is believed where no driver tells of GPUs,
 * as on machines without any; where one does, it must know it.
 *
 * @returns the address, or why there is none.
 */
export async function findGpu(
  choice: GpuChoice,
  procFolder: string,
): Promise<{ readonly pci: PciAddress } | { readonly problem: string }> {
  const known = await readGpus(procFolder);
  if ("index" in choice) {
    if ("problem" in known) return { problem: `no driver tells of GPUs (${known.problem})` };
    const pci = known.gpus.get(choice.index);
    if (pci !== undefined) return { pci };
    return { problem: `this node has no GPU ${choice.index}${said(known.gpus)}` };
  }
  const pci = pciOf(choice.pci);
  if (pci === undefined) return { problem: `${choice.pci} is no address such as 0000:3b:00` };
  if ("problem" in known || known.gpus.size === 0 || [...known.gpus.values()].includes(pci)) {
    return { pci };
  }
  return { problem: `this node has no GPU at ${pci}${said(known.gpus)}` };
}

/** The number and the address in what the driver tells about one GPU. */
export function parseInformation(
  text: string,
): { readonly minor: number; readonly pci: PciAddress } | undefined {
  const minor = /^Device Minor:\s*(\d+)\s*$/m.exec(text)?.[1];
  const pci = pciOf(/^Bus Location:\s*(\S+)\s*$/m.exec(text)?.[1] ?? "");
  return minor === undefined || pci === undefined ? undefined : { minor: Number(minor), pci };
}

async function readGpus(
  procFolder: string,
): Promise<{ readonly gpus: ReadonlyMap<number, PciAddress> } | { readonly problem: string }> {
  const folder = join(procFolder, "gpus");
  try {
    const gpus = new Map<number, PciAddress>();
    for (const name of (await readdir(folder)).toSorted().slice(0, gpusMax)) {
      const path = join(folder, name, "information");
      const text = await readTextFile(path, { sizeBytesMax: informationBytesMax });
      // Old drivers leave the address out; the folder has its name from it.
      const found = parseInformation(text) ?? parseInformation(`${text}\nBus Location: ${name}\n`);
      if (found !== undefined) gpus.set(found.minor, found.pci);
    }
    return { gpus };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

function said(gpus: ReadonlyMap<number, PciAddress>): string {
  const list = [...gpus].map(([minor, pci]) => `${minor} at ${pci}`).join(", ");
  return list === "" ? "" : `, only ${list}`;
}
