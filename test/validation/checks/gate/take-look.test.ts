import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createRealClock } from "../../../../src/platform/time/index.ts";
import { type Sighting, takeLook } from "../../../../src/validation/checks/gate/index.ts";
import { tempDir } from "../../../support/temp-dir.ts";

/** What is seen of folders. */
async function lookAt(...folders: readonly string[]) {
  const seen: Sighting[] = [];
  const options = { clock: createRealClock(), env: {}, folders, gpus: false, xids: false };
  await takeLook({
    ...options,
    say: (line) => {
      if ("saw" in line) seen.push(line);
    },
  });
  return seen.filter(({ saw }) => saw === "folder");
}

test("looks at a shared folder are not in each other's way, and leave nothing", async () => {
  // All in one process: nodes that share a folder have processes of the same number, too.
  const folder = await tempDir();
  await writeFile(join(folder, `.tessera-look-${process.pid}`), "of one that was killed");
  const looks = await Promise.all(Array.from({ length: 20 }, () => lookAt(folder)));
  expect(looks.flat().filter((seen) => "problem" in seen)).toEqual([]);
  expect(looks.flat()).toHaveLength(20);
  expect(await readdir(folder)).toHaveLength(1);
});

test("a look at a folder that is not there says what the system answered", async () => {
  const path = join(await tempDir(), "absent");
  expect(await lookAt(path)).toMatchObject([{ path, problem: { code: "ENOENT" } }]);
});
