import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { loadConfig } from "../../../src/platform/config/index.ts";
import { knownSettings } from "../../../src/platform/config/known-settings.ts";
import { Problems } from "../../../src/platform/config/problems.ts";
import { rootSection } from "../../../src/platform/config/sections/root.ts";
import { readYaml } from "../../../src/platform/config/yaml-source.ts";
import { formatError } from "../../../src/platform/errors/index.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { failure, load, loadYaml, problemsOf } from "./load.ts";

describe("keys", () => {
  test.each([
    [
      "server:\n  prot: 1\n",
      "tessera.yaml:2: unknown key `server.prot` (did you mean `server.port`?)",
    ],
    ["port: 1\n", "tessera.yaml:1: unknown key `port` (did you mean `server.port`?)"],
    ["sever: {}\n", "tessera.yaml:1: unknown key `sever` (did you mean `server`?)"],
    ["data_dir: x\n", "tessera.yaml:1: unknown key `data_dir` (did you mean `dataDir`?)"],
    [
      "server: { bodyLimitBytes: 1 }\n",
      "tessera.yaml:1: unknown key `server.bodyLimitBytes` (did you mean `server.bodyLimit`?)",
    ],
    [
      "server.port: 1\n",
      "tessera.yaml:1: `server.port` must be written as `port:` below `server:`",
    ],
    ["\n\nqwertyuiop: 1\n", "tessera.yaml:3: unknown key `qwertyuiop`"],
    ["__proto__: 1\n", "tessera.yaml:1: unknown key `__proto__`"],
    ["constructor: 1\n", "tessera.yaml:1: unknown key `constructor`"],
    ["3: 1\n", "tessera.yaml:1: a key must be a word"],
    ["? [a]\n: 1\n", "tessera.yaml:1: a key must be a word"],
    ["<<: { seed: x }\n", "tessera.yaml:1: unknown key `<<`"],
    ["seed: a\nseed: b\n", "tessera.yaml:2: the key `seed` was already given in line 1"],
  ])("%j is refused", async (yaml, problem) => {
    expect(await problemsOf(yaml)).toEqual([problem]);
  });

  test("a key that would steer the terminal is shown harmlessly", async () => {
    const [problem] = await problemsOf('"\\e[2Jx\\n": 1\n');
    expect(problem).toBe("tessera.yaml:1: unknown key `\\u001b[2Jx\\n`");
  });
});

describe("values", () => {
  test.each([
    ["version: 2", "`version` must be 1, got the number 2"],
    ["server: { port: '80' }", '`server.port` must be a number, got the text "80"'],
    ["server: { port: 65536 }", "`server.port` must be at most 65535, got the number 65536"],
    ["server: { port: -1 }", "`server.port` must be at least 0, got the number -1"],
    ["server: { port: 80.5 }", "`server.port` must be a whole number, got the number 80.5"],
    ["server: { port: .nan }", "`server.port` must be a number, got the number NaN"],
    ["server: { port: }", "`server.port` has no value; give it one or remove the line"],
    ["server: { host: '' }", '`server.host` is too short, got the text ""'],
    ["server: { host: [a] }", "`server.host` must be text, got a list"],
    ["server: 5", "`server` must be a group of keys, got the number 5"],
    ["server: [5]", "`server` must be a group of keys, got a list"],
    [
      "log: { level: inf }",
      '`log.level` must be one of trace, debug, info, warn, error, silent (did you mean `info`?), got the text "inf"',
    ],
    [
      "kubernetes: { namespace: My_Space }",
      '`kubernetes.namespace` must consist of lower-case letters, digits and hyphens, got the text "My_Space"',
    ],
    ["dataDir: true", "`dataDir` must be text, got true"],
  ])("%s is refused", async (yaml, problem) => {
    expect(await problemsOf(yaml)).toEqual([`tessera.yaml:1: ${problem}`]);
  });

  test("a heading with nothing below it is fine", async () => {
    expect((await loadYaml("server:\nlog:\n")).values.server.port).toBe(7070);
  });
});

describe("form", () => {
  test.each(["", "\n", "# nothing\n", "---\n", "\uFEFF", "{}", "null"])(
    "%j means defaults",
    async (yaml) => {
      expect((await loadYaml(yaml)).values.server.port).toBe(7070);
    },
  );

  test.each([
    ["- a\n", "the file must be a list of `key: value` lines, not a list"],
    ["hello\n", 'the file must be a list of `key: value` lines, not the text "hello"'],
    ["seed: a\n---\nseed: b\n", "the file must hold one document; remove what follows `---`", 2],
    ["log:\n\tlevel: info\n", "a tab is used to indent; YAML wants spaces", 2],
    ["seed: [\n", "this is not valid YAML: flow sequence in block collection must be", 2],
    ["seed: !x 1\n", "this is not valid YAML: unresolved tag: !x"],
    ["seed: *nothing\n", "`seed`: unresolved alias"],
    ["[".repeat(200_000), "it is nested too deeply"],
    ["- ".repeat(100_000), "it is nested too deeply"],
  ])("%.20j is refused", async (yaml, problem, line = 1) => {
    const [first, ...rest] = await problemsOf(yaml);
    expect(first).toContain(`tessera.yaml:${line}: ${problem}`);
    expect(rest).toEqual([]);
  });

  test("aliases are understood", async () => {
    const { values } = await loadYaml("seed: &name gpu-prod\nkubernetes: { context: *name }\n");
    expect(values.kubernetes.context).toBe("gpu-prod");
  });

  test("aliases that expand into too many values are refused", async () => {
    const row = (name: string, of: string) => `&${name} [${Array(9).fill(of).join(", ")}]`;
    const bomb = `seed:\n  - ${row("a", "x")}\n  - ${row("b", "*a")}\n  - ${row("c", "*b")}\n  - ${row("d", "*c")}\n`;
    expect(await problemsOf(bomb)).toEqual([
      "tessera.yaml:1: `seed`: its aliases expand into too many values",
    ]);
  });

  test("every problem is named at once, in the order of lines", async () => {
    const yaml = "version: 9\nserver:\n  port: x\n  prot: 1\nlog: { level: loud, levle: x }\n";
    const problems = await problemsOf(yaml, { env: { TESSERA_SEEED: "1" } });
    expect(problems.map((problem) => problem.split(": ")[0])).toEqual([
      "TESSERA_SEEED",
      "tessera.yaml:1",
      "tessera.yaml:3",
      "tessera.yaml:4",
      "tessera.yaml:5",
      "tessera.yaml:5",
    ]);
  });

  test("a wrong line is wrong even when a flag overrides it", async () => {
    const flags = { "server.port": { flag: "--port", value: "1" } };
    expect(await problemsOf("server: { port: x }", { flags })).toHaveLength(1);
  });

  test("a file of thousands of problems names some and counts the rest", async () => {
    const yaml = Array.from({ length: 5000 }, (_, index) => `zzzzzzzzzz${index}: 1\n`).join("");
    const error = await failure(loadYaml(yaml));
    expect(error.message).toContain("5000 problems:");
    expect(error.message).toContain("- and 4980 more");
  });

  test("many problems are still one paragraph without a stack", async () => {
    const text = formatError(await failure(loadYaml("a: 1\nb: 2\nc: 3\n")));
    expect(text).not.toMatch(/\n\s*\n|\n {4}at /);
    expect(text).toMatch(/^E_CONFIG_INVALID: /);
  });
});

describe("files that cannot be read", () => {
  const named = async (path: string, content?: string | Uint8Array) =>
    await failure(load({ file: path, files: content === undefined ? {} : { [path]: content } }));

  test("a named file must exist", async () => {
    const error = await named("none.yaml");
    expect(error.code).toBe("E_CONFIG_FILE");
    expect(error.message).toBe(
      "The configuration file none.yaml cannot be read: it does not exist.",
    );
  });

  test("so must the one TESSERA_CONFIG names", async () => {
    const error = await failure(load({ env: { TESSERA_CONFIG: "none.yaml" } }));
    expect(error.code).toBe("E_CONFIG_FILE");
  });

  test("the working directory itself is named in full", async () => {
    const error = await failure(load({ file: "." }));
    expect(error.message).toMatch(
      /^The configuration file \/\S+ cannot be read: it is a directory/,
    );
  });

  test("a directory is refused", async () => {
    const cwd = await tempDir();
    await mkdir(join(cwd, "tessera.yaml"));
    const error = await failure(loadConfig({ env: { HOME: cwd }, cwd, flags: {} }));
    expect(error.message).toContain("tessera.yaml cannot be read: it is a directory");
  });

  test("text that is not UTF-8 is refused with its line", async () => {
    const bytes = Buffer.concat([Buffer.from("seed: a\nlog: # "), Buffer.from([0xe9, 0x0a])]);
    const error = await named("latin1.yaml", bytes);
    expect(error.message).toContain("latin1.yaml:2 cannot be read: it is not UTF-8 text");
  });

  test("UTF-16 is refused as well", async () => {
    const error = await named("utf16.yaml", Buffer.from("\uFEFFseed: a\n", "utf16le"));
    expect(error.message).toContain("it is not UTF-8 text");
  });

  test("a file over the limit is refused, one at the limit is read", async () => {
    const limit = 1024 * 1024;
    const error = await named("huge.yaml", `#${"x".repeat(limit)}`);
    expect(error.message).toContain("it is larger than 1 MiB");
    await expect(loadYaml(`#${"x".repeat(limit - 1)}`)).resolves.toBeDefined();
  });

  test("a device without end is refused rather than read for ever", async () => {
    const error = await failure(load({ file: "/dev/zero" }));
    expect(error.message).toContain("it is larger than 1 MiB");
  });
});

describe("any text whatever", () => {
  const word = fc.constantFrom(
    ..."{}[]:,-?&*!|>'\"%@`#\t\n \u0000\u2028".split(""),
    "seed",
    "server",
    "port",
    "<<",
    "*a",
    "&a",
    "!!map",
    "---",
  );

  test("is read or refused with a line, never a crash", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(word, fc.string()), { maxLength: 30 }), (words) => {
        const problems = new Problems();
        readYaml(words.join(""), { file: "x.yaml", root: rootSection, problems });
        try {
          problems.throwIfAny();
        } catch (error) {
          expect(formatError(error as never)).toMatch(/x\.yaml:\d+: /);
        }
      }),
    );
  });

  test("every setting reads what its own examples and default say", async () => {
    for (const { key, setting } of knownSettings) {
      for (const value of setting.examples ?? []) {
        const flags = { [key]: { flag: "--flag", value } };
        await expect(load({ flags }), key).resolves.toBeDefined();
      }
    }
  });
});
