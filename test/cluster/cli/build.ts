import { buildMissing } from "../binaries/build.ts";
import { partFolder } from "../binaries/cache.ts";
import { helm, partsFor } from "../binaries/parts.ts";
import { missingFromAssets } from "../binaries/resolve.ts";
import { ClusterError } from "../errors.ts";
import { missingFor } from "../machine/availability.ts";
import { installPackages } from "../machine/install.ts";
import type { ToolIo } from "./io.ts";
import type { CommandLine } from "./options.ts";

/** Builds the programs that a cluster of this shape needs and that are not there yet. */
export async function build(line: CommandLine, io: ToolIo): Promise<void> {
  if (line.install) await installPackages(missingFor(line.shape), io.progress);
  const parts = line.shape.kubernetes ? [...partsFor(line.shape), helm] : [];
  const absent = missingFor(line.shape).find(({ id }) => id === "go");
  if (absent !== undefined) {
    throw new ClusterError(`missing on this machine: ${absent.title}; ${absent.hint}`, {
      exitCode: 2,
    });
  }
  const built = await buildMissing(parts, { clock: io.clock, onProgress: io.progress });
  const rows = parts.map((part) => {
    const given = missingFromAssets(part).length === 0;
    const folder = given ? (process.env["KUBEBUILDER_ASSETS"] ?? "") : partFolder(part);
    return { id: part.id, version: part.version, folder, built: built.includes(part) };
  });
  const lines = rows.map((row) => {
    return `${row.id} ${row.version}: ${row.folder} (${row.built ? "built now" : "was there"})`;
  });
  io.result({ parts: rows }, lines.length === 0 ? ["nothing to build"] : lines);
}
