import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { ClusterError } from "../errors.ts";
import { findProgram } from "../machine/programs.ts";
import { repositoryRoot } from "../machine/repository.ts";
import { writeDockerArchive } from "./docker-archive.ts";
import { pauseImage } from "./pause.ts";
import { tesseraImage } from "./tessera.ts";

/** The CLI as one file, as `npm run build` makes it. */
export function builtBundle(): string {
  return join(repositoryRoot(), "dist", "bundle", "tessera.mjs");
}

/** Writes the archives of the images that real nodes have, and returns their paths. */
export async function writeImageArchives(folder: string, bundle: string): Promise<string[]> {
  const busybox = findProgram("busybox");
  if (busybox === undefined) throw new ClusterError("busybox is not on this machine");
  if (!existsSync(bundle)) {
    throw new ClusterError(`${bundle} is not there; run "npm run build" first`, { exitCode: 2 });
  }
  mkdirSync(folder, { recursive: true });
  const pause = join(folder, "pause.tar");
  const tessera = join(folder, "tessera.tar");
  writeDockerArchive(pause, pauseImage(busybox));
  const fio = findProgram("fio");
  const image = await tesseraImage({ root: repositoryRoot(), bundle, busybox, fio });
  writeDockerArchive(tessera, image);
  return [pause, tessera];
}
