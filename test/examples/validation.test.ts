import { expect, it } from "vitest";
import { runExample } from "./run-example.ts";

it("the validation framework's steps run in their order: discover, look up, prioritize, batch", async () => {
  const { code, stdout, stderr } = await runExample("examples/validation/job-runner.ts");
  expect(stderr).toBe("");
  const [free, due, ...rest] = stdout.trimEnd().split("\n");
  const freeNodes = Number(/^(\d+) of 24 nodes are free\.$/.exec(free ?? "")?.[1]);
  expect(freeNodes).toBeGreaterThan(0);
  expect(due).toMatch(
    new RegExp(`^${3 * freeNodes} runs are due; first sim-\\d{4}: never tested\\.$`),
  );
  const ran = rest.slice(0, -1).map((line) => line.split(/ {2,}/));
  expect(ran).toHaveLength(Math.min(12, 3 * freeNodes));
  const completed = ran.filter(([, , outcome]) => outcome === "completed").length;
  expect(completed).toBeGreaterThan(0);
  expect(rest.at(-1)).toBe(`${3 * freeNodes - completed} runs are still due on these nodes.`);
  expect(code).toBe(0);
});
