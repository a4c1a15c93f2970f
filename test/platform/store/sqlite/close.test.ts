import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { root } from "../../../../scripts/lib/repository.ts";
import { tempDir } from "../../../support/temp-dir.ts";

const run = promisify(execFile);

it("closes to the end though a statement was still under way, with nothing else to keep the process alive", async () => {
  const folder = await tempDir();
  const program = join(root, "test/platform/store/programs/close-at-work.ts");
  const args = [join(root, "scripts/ts.mjs"), program, join(folder, "tessera.db")];
  const { stdout } = await run(process.execPath, args, { cwd: root });
  expect(stdout).toBe("read\nclosed\n");
});
