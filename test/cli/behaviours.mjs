// The built CLI's way with processes, on commands that behave and misbehave on purpose.
import { open } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const built = (path) => import(pathToFileURL(join(process.env.DIST, path)).href);
const { runInThisProcess } = await built("cli/run-in-this-process.js");
const { TesseraError } = await built("platform/errors/index.js");

const aborted = (signal) =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
// Something must keep the process alive, as a socket would.
const never = () => new Promise(() => setInterval(() => undefined, 1_000_000));

const actions = {
  good: async () => 0,
  failed: async () => 1,
  undecided: async () => 3,
  throws: async () => {
    throw new Error("the inner workings");
  },
  secret: async () => {
    throw new TesseraError("E_INTERNAL", { problem: "cannot open postgres://u:hunter2@db/x" });
  },
  waits: async ({ io, signal }) => {
    io.stdout.write("waiting\n");
    await Promise.race([aborted(signal), never()]);
  },
  "waits-vaguely": async ({ io, signal }) => {
    io.stdout.write("waiting\n");
    await Promise.race([aborted(signal), never()]).catch(() => {
      throw new DOMException("This operation was aborted", "AbortError");
    });
  },
  stops: async ({ io, signal }) => {
    io.stdout.write("waiting\n");
    await Promise.race([aborted(signal), never()]).catch(() => io.stdout.write("stopped\n"));
    return 0;
  },
  ignores: async ({ io }) => {
    process.on("SIGINT", () => io.stdout.write("heard\n"));
    process.on("exit", () => io.stdout.write("cleaned up\n"));
    io.stdout.write("waiting\n");
    return await never();
  },
  blocks: async ({ io, args }) => {
    void open(args[0]);
    process.on("SIGINT", () => io.stdout.write("heard\n"));
    io.stdout.write("waiting\n");
    return await never();
  },
  rejects: async () => {
    void Promise.reject(new Error("nobody catches this"));
    return await never();
  },
  crashes: async () => {
    setImmediate(() => {
      throw new Error("nobody expects this");
    });
    return await never();
  },
  pours: async ({ io, signal }) => {
    while (!signal.aborted) {
      io.stdout.write(`${"x".repeat(999)}\n`);
      await new Promise(setImmediate);
    }
    signal.throwIfAborted();
  },
  pages: async ({ io }) => {
    for (let line = 0; line < 5000; line++) io.stdout.write(`${"x".repeat(999)}\n`);
    return 1;
  },
};

const specs = Object.entries(actions).map(([name, run]) => ({
  name,
  summary: name,
  arguments: [{ name: "[value]", description: "a value" }],
  examples: [],
  load: async () => ({ run }),
}));

await runInThisProcess({ specs, groups: {} });
