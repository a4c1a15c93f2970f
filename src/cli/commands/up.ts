import type { CommandSpec } from "../command-spec.ts";

export const upCommand: CommandSpec = {
  name: "up",
  summary: "start the control plane and its page",
  description:
    "Opens the store, finds out what this machine can do and serves the page, the API and the metrics until it is stopped. Stopping it with SIGINT or SIGTERM is what it is meant for, so it then ends with exit code 0. One data folder serves one `tessera up` at a time.",
  options: [
    {
      flags: "--host <address>",
      description: "listen on this address; any but the loopback one makes tokens a must",
      configKey: "server.host",
    },
    {
      flags: "--port <number>",
      description: "listen on this port; 0 takes a free one",
      configKey: "server.port",
    },
    {
      flags: "--data-dir <folder>",
      description: "keep the store, the first token and the lock here",
      configKey: "dataDir",
      completes: "directory",
    },
  ],
  examples: [
    { command: "tessera up", shows: "the page at http://127.0.0.1:7070" },
    {
      command: "tessera up --port 0 --json",
      shows: "a free port, with one JSON line for programs once it is ready",
    },
    {
      command: "TESSERA_TOKEN=$(openssl rand -hex 32) tessera up --host 0.0.0.0",
      shows: "a control plane other machines can reach with that token",
    },
  ],
  load: () => import("../actions/up.ts"),
};
