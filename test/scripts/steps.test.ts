import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { resultLine, runSteps, type Step, type StepResult } from "../../scripts/lib/steps.ts";

function program(name: string, code: string): Step {
  return { name, command: [process.execPath, "-e", code] };
}

function run(steps: readonly Step[], onDone?: (result: StepResult) => void) {
  const options = { parallel: 2, cwd: tmpdir() };
  return runSteps(steps, onDone === undefined ? options : { ...options, onDone });
}

describe("steps", () => {
  it("all run, whatever becomes of the others, and come back in order", async () => {
    const results = await run([
      program("bad", "process.exit(1)"),
      program("good", "0"),
      program("killed", "process.kill(process.pid, 'SIGKILL')"),
      program("also good", "0"),
    ]);
    expect(results.map(({ name, passed }) => [name, passed])).toEqual([
      ["bad", false],
      ["good", true],
      ["killed", false],
      ["also good", true],
    ]);
    expect(results[2]?.output).toContain("killed by SIGKILL");
  });

  it("keep what was written to both streams", async () => {
    const [result] = await run([program("loud", "console.log('out'); console.error('err')")]);
    expect(result?.output).toContain("out");
    expect(result?.output).toContain("err");
  });

  it("keep the end of an output that is too long", async () => {
    const code = "process.stdout.write('x'.repeat(1e6) + 'the end')";
    const [result] = await run([program("endless", code)]);
    expect(result?.output.endsWith("the end")).toBe(true);
    expect(result?.output.length).toBeLessThan(1e6);
  });

  it("fail when the program does not exist", async () => {
    const [result] = await run([{ name: "none", command: ["tessera-no-such-program"] }]);
    expect(result).toMatchObject({ passed: false });
    expect(result?.output).toContain("could not run tessera-no-such-program");
  });

  it("are told as they end", async () => {
    const told: string[] = [];
    await run([program("a", "0"), program("b", "0")], ({ name }) => told.push(name));
    expect(told.toSorted()).toEqual(["a", "b"]);
  });
});

describe("a line about a step", () => {
  it("says name, result and time", () => {
    const result = { name: "types", durationMs: 1234, output: "" };
    expect(resultLine({ ...result, passed: true })).toBe("types    passed    1.2 s");
    expect(resultLine({ ...result, passed: false })).toBe("types    FAILED    1.2 s");
  });
});
