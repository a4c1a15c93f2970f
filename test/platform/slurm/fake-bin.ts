import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder of programs that stand where Slurm's would. */
export interface FakeBin {
  readonly path: string;
  /** A program by the body of its script; `$CALLS` is a file to write to. */
  program(name: string, body: string): Promise<void>;
  /** A program that prints this file on standard output, by what its arguments hold. */
  answers(name: string, cases: readonly (readonly [words: string, text: string])[]): Promise<void>;
  /** What programs wrote to `$CALLS`. */
  calls(): Promise<string>;
  remove(): Promise<void>;
}

export async function createFakeBin(): Promise<FakeBin> {
  const folder = await mkdtemp(join(tmpdir(), "fake-slurm-"));
  const path = join(folder, "bin");
  await mkdir(path);
  const callsFile = join(folder, "calls");
  await writeFile(callsFile, "");
  let texts = 0;
  const program = async (name: string, body: string) => {
    const file = join(path, name);
    await writeFile(file, `#!/bin/sh\nCALLS='${callsFile}'\n${body}\n`);
    await chmod(file, 0o755);
  };
  return {
    path,
    program,
    answers: async (name, cases) => {
      const lines = await Promise.all(
        cases.map(async ([words, text]) => {
          const file = join(folder, `text-${++texts}`);
          await writeFile(file, text);
          return `"${words}") exec cat '${file}' ;;`;
        }),
      );
      const body = `echo "${name} $*" >> "$CALLS"\ncase "$*" in\n${lines.join("\n")}\n*) echo "${name}: error: not foreseen: $*" >&2; exit 1 ;;\nesac`;
      await program(name, body);
    },
    calls: () => readFile(callsFile, "utf8"),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
