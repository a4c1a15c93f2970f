import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { oneCommand, runHere } from "./in-process.ts";

const options = [
  { flags: "--port <number>", description: "a port", configKey: "server.port" },
  { flags: "-n, --nodes <count>", description: "how many" },
  { flags: "--mode <mode>", description: "how", choices: ["quick", "standard"] },
  { flags: "--once", description: "once" },
];

describe("arguments and options", () => {
  test("a command gets its arguments and options, and no defaults", async () => {
    const { table, received } = oneCommand({
      arguments: [{ name: "<files...>", description: "files" }],
      options,
    });
    await runHere(["go", "a", "--nodes", "3", "b", "--once"], { table });
    expect(received().args).toEqual(["a", "b"]);
    expect(received().options).toEqual({ nodes: "3", once: true });
    expect(received().globals).toEqual({});
  });

  test.each([
    [["--json", "--seed", "7", "go"]],
    [["go", "--json", "--seed", "7"]],
    [["--json", "go", "--seed=7"]],
  ])("global options are understood before and after the command: %j", async (argv) => {
    const { table, received } = oneCommand();
    await runHere(argv, { table });
    expect(received().globals).toEqual({ json: true, seed: "7" });
  });

  test("--no-color is the only way to say anything about color", async () => {
    const { table, received } = oneCommand();
    await runHere(["go", "--no-color"], { table });
    expect(received().globals).toEqual({ color: false });
  });

  test("what follows -- is never an option", async () => {
    const { table, received } = oneCommand({ arguments: [{ name: "[name]", description: "n" }] });
    await runHere(["go", "--", "--json"], { table });
    expect(received().args).toEqual(["--json"]);
    expect(received().globals).toEqual({});
  });

  test("an option sets the configuration key it stands for", async () => {
    const { table, received } = oneCommand({ options });
    await runHere(["go", "--port", "81", "--seed", "x", "--verbose"], { table });
    const config = await received().config();
    expect(config.values.server.port).toBe(81);
    expect(config.origin("server.port").where).toBe("--port");
    expect(config.origin("seed").where).toBe("--seed");
    expect(config.origin("log.level")).toEqual({ source: "flag", where: "--verbose" });
  });

  test("the configuration is resolved once", async () => {
    const { table, received } = oneCommand();
    await runHere(["go"], { table });
    expect(received().config()).toBe(received().config());
    expect(received().log()).toBe(received().log());
  });
});

describe("malformed command lines", () => {
  const { table } = oneCommand({
    arguments: [{ name: "<shell>", description: "s", choices: ["bash", "zsh"] }],
    options,
  });

  test.each([
    [["gi"], "Unknown command 'gi' (did you mean `go`?)"],
    [["zebra"], "Unknown command 'zebra'"],
    [["--jsn", "go", "bash"], "Unknown option '--jsn' (did you mean `--json`?)"],
    [["go", "bash", "--nods", "3"], "Unknown option '--nods' (did you mean `--nodes`?)"],
    [["go", "bash", "--prot=80"], "Unknown option '--prot=80' (did you mean `--port`?)"],
    [["go", "bash", "--quite"], "Unknown option '--quite' (did you mean `--quiet`?)"],
    [["go", "bash", "-x"], "Unknown option '-x'"],
    [["go"], "Missing required argument 'shell'"],
    [["go", "bahs"], "Allowed are bash, zsh (did you mean `bash`?)"],
    [["go", "bash", "zsh"], "Too many arguments for 'go'. Expected 1 argument but got 2"],
    [["go", "bash", "--mode", "quik"], "Allowed are quick, standard (did you mean `quick`?)"],
    [["go", "bash", "--nodes"], "Option '-n, --nodes <count>' argument missing"],
    [
      ["go", "bash", "--junit", "--json"],
      "argument '--json' is invalid. A value is missing before it",
    ],
    [
      ["go", "bash", "--nodes", "--once"],
      "argument '--once' is invalid. A value is missing before it",
    ],
    [["go", "bash", "--once=yes"], "Unknown option '--once=yes'"],
    [["go", "bash", "--__proto__", "x"], "Unknown option '--__proto__'"],
  ])("%j is refused in one paragraph", async (argv, problem) => {
    const { code, stdout, stderr } = await runHere(argv, { table });
    expect(code).toBe(2);
    expect(stdout === "" || argv.includes("--json")).toBe(true);
    expect(stderr).toMatch(/^E_USAGE: [^\n]+\n$/);
    expect(stderr).toContain(problem);
  });

  test("the hint names the command it is about", async () => {
    expect((await runHere(["go", "--x"], { table })).stderr).toContain("`tessera go --help`");
    expect((await runHere(["gi"], { table })).stderr).toContain("`tessera --help`");
  });

  test("with --json the error is one line on stdout too", async () => {
    const { stdout } = await runHere(["gi", "--json"], { table });
    expect(stdout.trim().split("\n")).toHaveLength(1);
    expect(JSON.parse(stdout)).toEqual({
      error: {
        code: "E_USAGE",
        message: "Unknown command 'gi' (did you mean `go`?)",
        hint: "Run `tessera --help` to see what it takes.",
        details: expect.objectContaining({ command: "" }),
      },
    });
  });

  test("a --json that is only an argument does not ask for JSON", async () => {
    const { code, stdout } = await runHere(["go", "--x", "--", "--json"], { table });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  });

  test("any words whatever end with 0 or 2 and never a stack", async () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom(
        "go",
        "bash",
        "--json",
        "--",
        "-",
        "--seed",
        "-h",
        "--nodes=",
        "-n3",
        "--mode",
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 5 }), async (argv) => {
        const { code, stderr } = await runHere(argv, { table });
        expect([0, 2]).toContain(code);
        expect(stderr).not.toMatch(/^ {4}at /m);
      }),
    );
  });
});

describe("help and version", () => {
  test.each([["--help"], ["-h"], ["help"]])(
    "%s prints help on stdout and ends with 0",
    async (flag) => {
      const { code, stdout, stderr } = await runHere([flag]);
      expect(code).toBe(0);
      expect(stderr).toBe("");
      expect(stdout).toMatch(/^Usage: tessera/);
      expect(stdout).toContain("Exit codes:");
    },
  );

  test("no command at all prints help on stderr and ends with 2", async () => {
    const { code, stdout, stderr } = await runHere([]);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^Usage: tessera/);
    expect(stderr).toContain("E_USAGE: No command was given.");
  });

  test("so does a group without its command", async () => {
    const { code, stderr } = await runHere(["config"]);
    expect(code).toBe(2);
    expect(stderr).toContain("E_USAGE: No command was given. Run `tessera config --help`");
  });

  test("a nested command's help has its own and the global options, and examples", async () => {
    const { stdout } = await runHere(["config", "print", "--help"]);
    expect(stdout).toContain("--resolved");
    expect(stdout).toContain("Global Options:");
    expect(stdout).toContain("--junit <file>");
    expect(stdout).toContain("$ tessera config print");
  });

  test("a nested command's help leaves out the options of the command above it", async () => {
    const { stdout: above } = await runHere(["agent", "--help"]);
    const { stdout } = await runHere(["agent", "kmsg-device", "--help"]);
    expect(above).toContain("--control-folder <folder>");
    expect(stdout).not.toContain("--control-folder");
    expect(stdout).toContain("--junit <file>");
  });

  test("help COMMAND is the same as COMMAND --help", async () => {
    const asOption = await runHere(["config", "print", "--help"]);
    expect(await runHere(["help", "config", "print"])).toEqual(asOption);
    expect(await runHere(["help", "config"])).toEqual(await runHere(["config", "--help"]));
  });

  test("help for a command that does not exist suggests one", async () => {
    const { code, stderr } = await runHere(["help", "config", "prnt"]);
    expect(code).toBe(2);
    expect(stderr).toContain("There is no command `config prnt` (did you mean `config print`?)");
  });

  test("--version works anywhere, also as JSON", async () => {
    const { version } = await import("../../src/version.ts");
    expect((await runHere(["config", "print", "--version"])).stdout).toBe(`${version}\n`);
    expect(JSON.parse((await runHere(["--version", "--json"])).stdout)).toEqual({ version });
  });
});
