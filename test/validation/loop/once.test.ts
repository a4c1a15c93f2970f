import { describe, expect, test } from "vitest";
import type { ClusterNode, NotFreeCode } from "../../../src/validation/clusters/cluster.ts";
import { OncePass } from "../../../src/validation/loop/once.ts";

function node(name: string, ...codes: readonly NotFreeCode[]): ClusterNode {
  const notFree = codes.map((code) => ({ code, text: code }));
  return { name, sku: "", rack: "", gpus: 8, notFree, awaitsAcceptance: false, cordoned: false };
}

const limitMs = 1_000;
const due = {
  postponed: [{ node: "a", check: undefined, rail: "not-free", reason: "" }],
} as const;

function passOver(...nodes: readonly ClusterNode[]): OncePass {
  const pass = new OncePass();
  pass.see({ atMs: 0, trust: { state: "current" }, nodes, jobs: [] });
  return pass;
}

describe("a single pass", () => {
  test.each([
    ["waits for a job of ours to leave a node on which more is due", ["under-test"], true],
    ["waits when the job also takes up the node's room", ["under-test", "cpu"], true],
    ["does not wait for users", ["busy"], false],
    ["does not wait for a job of ours on a node that is dead", ["under-test", "not-ready"], false],
    ["does not wait for a node that is free", [], false],
  ] as const)("%s", (_, codes, expected) => {
    const pass = passOver(node("a"));
    const view = { nodes: [node("a", ...codes)] };
    expect(pass.isHeld(due, { view, monotonicMs: 0, limitMs })).toBe(expected);
  });

  test("is over nodes that are free, or held by a job of ours alone", () => {
    const pass = passOver(node("a"), node("b", "under-test", "cpu"), node("c", "cpu"));
    const included = ["a", "b", "c"].filter((name) => pass.includes(name));
    expect(included).toEqual(["a", "b"]);
  });

  test("knows which check it has begun on which node", () => {
    const pass = passOver(node("a"), node("b"));
    pass.begun({ node: "a", check: "x" });
    expect(pass.hasBegun("a", "x")).toBe(true);
    expect([pass.hasBegun("a", "y"), pass.hasBegun("b", "x")]).toEqual([false, false]);
  });

  test("does not wait where nothing more is due, nor for nodes that were not free at its begin", () => {
    const view = { nodes: [node("a", "under-test")] };
    const at = { view, monotonicMs: 0, limitMs };
    expect(passOver(node("a")).isHeld({ postponed: [] }, at)).toBe(false);
    expect(passOver(node("a", "busy")).isHeld(due, at)).toBe(false);
  });

  test("waits no longer than the limit, and for each wait anew", () => {
    const pass = passOver(node("a"));
    const view = { nodes: [node("a", "under-test")] };
    const isHeld = (monotonicMs: number, nodes = view.nodes) =>
      pass.isHeld(due, { view: { nodes }, monotonicMs, limitMs });
    expect([isHeld(5), isHeld(1_004), isHeld(1_005)]).toEqual([true, true, false]);
    expect(isHeld(1_006, [node("a")])).toBe(false);
    expect(isHeld(2_000)).toBe(true);
  });
});
