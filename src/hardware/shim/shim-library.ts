import { access, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { TesseraError } from "../../platform/errors/index.ts";
import { ensureDir, writeFileAtomic } from "../../platform/files/index.ts";
import { shimPaths } from "../objects/index.ts";

const here = dirname(fileURLToPath(import.meta.url));

/**
 * The built shim of this installation, for this machine's kind of processor.
 *
 * @throws E_HW_CONTROL when there is none
 */
export async function shimLibrary(): Promise<string> {
  const places = libraryPlaces(here, process.arch);
  for (const place of places) {
    const isThere = await access(place).then(
      () => true,
      () => false,
    );
    if (isThere) return place;
  }
  const problem =
    "the shim was not built for this machine; `npm run build` builds it where there is a C compiler";
  throw new TesseraError("E_HW_CONTROL", { path: places[0] ?? "", problem });
}

/** Beside the one-file program, beside dist/bundle, in dist, and in dist when run from src. */
export function libraryPlaces(folder: string, arch: string): readonly string[] {
  const below = join("native", arch, shimPaths.library);
  return [
    join(folder, below),
    join(folder, "..", below),
    join(folder, "..", "..", below),
    join(folder, "..", "..", "..", "dist", below),
  ];
}

/**
 * Puts the shim into a folder from which pods take it. Processes that run with an older one keep
 * that.
 *
 * @returns where it lies
 * @throws E_HW_CONTROL, E_FILE_WRITE
 */
export async function layShim(folder: string): Promise<string> {
  const content = await readFile(await shimLibrary());
  const target = join(folder, shimPaths.library);
  const present = await readFile(target).catch(() => undefined);
  if (present?.equals(content)) return target;
  await ensureDir(folder, { mode: 0o755 });
  await writeFileAtomic(target, content, { mode: 0o755 });
  return target;
}
