import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { commandTable } from "../../src/cli/commands/index.ts";
import { errorTable } from "../../src/platform/errors/index.ts";
import { runCli } from "../support/built-cli.ts";
import { missing } from "../support/missing.ts";
import { tempDir } from "../support/temp-dir.ts";

const firstWords = [...new Set(commandTable.specs.map(({ name }) => name.split(" ")[0] ?? ""))];

/** What the user has typed, and what the shell should offer for the last word. */
const cases: readonly { typed: readonly string[]; offered: readonly string[] }[] = [
  { typed: [""], offered: firstWords },
  { typed: ["conf"], offered: ["config"] },
  { typed: ["config", ""], offered: ["print", "schema"] },
  { typed: ["--json", "config", "pr"], offered: ["print"] },
  { typed: ["--seed", "config", "expl"], offered: ["explain"] },
  { typed: ["completion", ""], offered: ["bash", "zsh", "fish"] },
  { typed: ["completion", "z"], offered: ["zsh"] },
  {
    typed: ["explain", "E_CONFIG_"],
    offered: Object.keys(errorTable).filter((code) => code.startsWith("E_CONFIG_")),
  },
  { typed: ["config", "print", "--res"], offered: ["--resolved"] },
  { typed: ["config", "print", "--qui"], offered: ["--quiet"] },
  { typed: ["config", "schema", "--res"], offered: [] },
  { typed: ["zebra", "--res"], offered: [] },
];
const fileCases = [
  { typed: ["--config", "some"], offered: ["some file.yaml"] },
  { typed: ["explain", "--config", "some"], offered: ["some file.yaml"] },
];

describe.skipIf(missing("bash"))(`bash${missing("bash")}`, () => {
  let script = "";
  beforeAll(async () => {
    script = (await runCli(["completion", "bash"])).stdout;
  });

  function offers(typed: readonly string[], cwd = "/"): string[] {
    const program = `${script}
      COMP_WORDS=(tessera "$@")
      COMP_CWORD=$#
      _tessera
      [ \${#COMPREPLY[@]} -eq 0 ] || printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", program, "bash", ...typed], {
      cwd,
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    return stdout.split("\n").filter((line) => line !== "");
  }

  test.each(cases)("tessera $typed offers $offered", ({ typed, offered }) => {
    expect(offers(typed).toSorted()).toEqual(offered.toSorted());
  });

  test.each([...fileCases, { typed: ["--config", "=", "some"], offered: ["some file.yaml"] }])(
    "tessera $typed offers files",
    async ({ typed, offered }) => {
      expect(offers(typed, await folderWithFile())).toEqual(offered);
    },
  );

  test("it is registered for tessera", () => {
    const { stdout } = spawnSync("bash", ["--norc", "-c", `${script}\ncomplete -p tessera`], {
      encoding: "utf8",
    });
    expect(stdout.trim()).toBe("complete -F _tessera tessera");
  });
});

describe.skipIf(missing("fish"))(`fish${missing("fish")}`, () => {
  const { file } = scriptOf("fish");

  async function offers(typed: readonly string[], cwd: string): Promise<string[]> {
    const line = ["tessera", ...typed].join(" ");
    const { stdout, stderr } = spawnSync(
      "fish",
      ["--no-config", "-c", "source $argv[1]; complete --do-complete $argv[2]", file(), line],
      { cwd, encoding: "utf8", env: { ...process.env, HOME: cwd } },
    );
    expect(stderr).toBe("");
    return stdout.split("\n").flatMap((offer) => offer.split("\t")[0] || []);
  }

  test.each(cases)("tessera $typed offers $offered", async ({ typed, offered }) => {
    expect((await offers(typed, await tempDir())).toSorted()).toEqual(offered.toSorted());
  });

  test.each(fileCases)("tessera $typed offers files", async ({ typed }) => {
    expect(await offers(typed, await folderWithFile())).toEqual(["some file.yaml"]);
  });
});

describe.skipIf(missing("zsh"))(`zsh${missing("zsh")}`, () => {
  const { file } = scriptOf("zsh");

  // Zsh completes only at a prompt; its builtins are replaced by some that print what they get.
  const builtins = `
    compdef() { print -r -- "registered $*" >&2; }
    compset() { :; }
    compadd() { shift; print -rl -- "$@"; }
    _describe() { print -rl -- "\${(@P)\${@[-1]}%%:*}"; }
    _files() { print -r -- FILES; }
    _message() { :; }`;

  function complete(typed: readonly string[]): { offers: string[]; stderr: string } {
    const program = `${builtins}\nsource $1\nshift\nwords=(tessera "$@")\nCURRENT=$#words\n_tessera`;
    const { stdout, stderr } = spawnSync("zsh", ["-f", "-c", program, "zsh", file(), ...typed], {
      encoding: "utf8",
    });
    const last = typed.at(-1) ?? "";
    const lines = stdout.split("\n").filter((line) => line !== "");
    return { offers: lines.filter((line) => line === "FILES" || line.startsWith(last)), stderr };
  }

  test.each(cases)("tessera $typed offers $offered", ({ typed, offered }) => {
    const { offers, stderr } = complete(typed);
    expect(stderr).toBe("registered _tessera tessera\n");
    expect(offers.toSorted()).toEqual(offered.toSorted());
  });

  test.each([...fileCases, { typed: ["--config=some"] }])(
    "tessera $typed offers files",
    ({ typed }) => {
      expect(complete(typed).offers).toEqual(["FILES"]);
    },
  );
});

/** The script of a shell in a file, as users have it: it is longer than an argument may be. */
function scriptOf(shell: string): { file(): string } {
  let path = "";
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), "tessera-completion-"));
    path = join(folder, `tessera.${shell}`);
    await writeFile(path, (await runCli(["completion", shell])).stdout);
    return () => rm(folder, { recursive: true, force: true });
  });
  return { file: () => path };
}

async function folderWithFile(): Promise<string> {
  const cwd = await tempDir();
  await writeFile(join(cwd, "some file.yaml"), "");
  await mkdir(join(cwd, "other"));
  return cwd;
}
