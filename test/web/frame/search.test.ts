import { afterEach, describe, expect, it, vi } from "vitest";
import { forgetAll } from "../../../web/src/api/client.ts";
import { stopListening } from "../../../web/src/api/live.ts";
import { foundWords, search } from "../../../web/src/frame/search.ts";

/** Answers by the first part of the path. */
function serve(answers: Readonly<Record<string, () => Response>>): void {
  vi.stubGlobal("fetch", async (url: string) => {
    const [, part = ""] = /v1\/(\w+)/.exec(url) ?? [];
    const answer = answers[part];
    if (answer === undefined) throw new TypeError("gone");
    return answer();
  });
}

const node = { cluster: "c", name: "node-0001", standing: "pass", sku: "h100", rack: "r1" };
const nodes = () => Response.json({ nodes: [node], total: 1, next: null });
const noNodes = () => Response.json({ nodes: [], total: 0, next: null });
const noExperiments = () => Response.json({ experiments: [], next: null, worlds: [] });
const problem = (status: number, detail: string) => () => Response.json({ detail }, { status });
const noRun = problem(404, "There is no such run.");

async function wordsFor(text: string): Promise<string> {
  return foundWords(text, await search(text, new AbortController().signal));
}

afterEach(() => {
  vi.unstubAllGlobals();
  forgetAll();
  stopListening();
});

describe("a search", () => {
  it("says that nothing is called so when all have said so", async () => {
    serve({ nodes: noNodes, runs: noRun, experiments: noExperiments });
    expect(await wordsFor("node-9999")).toBe("Nothing is called node-9999.");
  });

  it("does not say so when the server is away", async () => {
    serve({});
    expect(await wordsFor("node-9999")).toBe(
      "Nodes, runs and experiments could not be asked: Tessera did not answer.",
    );
  });

  it.each([429, 500])(
    "says what was refused with %i, and still gives what was found",
    async (status) => {
      serve({ nodes, runs: noRun, experiments: problem(status, "Not now.") });
      expect(await wordsFor("node-0001")).toBe("1 found. Experiments could not be asked: Not now.");
    },
  );

  it("names the clusters whose nodes nobody could be told of, and why", async () => {
    const untold = [
      { cluster: "prod", state: "failed", problem: "There is no kubeconfig." },
      { cluster: "lab", state: "opening", problem: null },
    ];
    const some = () => Response.json({ nodes: [], total: 0, next: null, untold });
    serve({ nodes: some, runs: noRun, experiments: noExperiments });
    expect(await wordsFor("node-9999")).toBe(
      "Nodes of prod and nodes of lab could not be asked: There is no kubeconfig.",
    );
  });

  it("asks for a run only what may be the id of one", async () => {
    serve({ nodes, experiments: noExperiments });
    expect(await wordsFor("node")).toBe("1 found.");
  });
});
