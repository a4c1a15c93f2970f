/**
 * What each place may import, the one table of the house. A place is a folder or a file; the
 * longest name that covers a file decides. A file may always import from its own place; entries
 * cover everything below them. A folder that no line covers may not exist.
 */
export type LayerTable = Readonly<Record<string, readonly string[]>>;

const floor = [
  "src/platform/errors",
  "src/platform/words.ts",
  "src/platform/units",
  "src/platform/rng",
  "src/platform/time",
  "src/platform/concurrency",
  "src/platform/files",
];
const services = ["src/platform/log", "src/platform/process", "src/platform/config"];
/** Of the platform, what only computes. */
const pure = ["src/platform/units", "src/platform/words.ts"];
/** What the rooms of chaos say to each other. */
const chaosWords = ["src/chaos/plan", "src/chaos/record", "src/chaos/world.ts"];
const machine = [...floor, ...services, "src/platform/doctor", "src/version.ts"];

export const layers: LayerTable = {
  "src/version.ts": [],

  "src/platform/errors": [],
  "src/platform/words.ts": ["src/platform/errors"],
  "src/platform/units": ["src/platform/errors"],
  "src/platform/rng": ["src/platform/errors"],
  "src/platform/time": ["src/platform/errors", "src/platform/units", "src/platform/rng"],
  "src/platform/concurrency": ["src/platform/errors", "src/platform/time"],
  "src/platform/files": ["src/platform/errors", "src/platform/units", "src/platform/time"],

  "src/platform/log": floor,
  "src/platform/process": floor,
  // Hostlists in the configuration are read as Slurm's own are.
  "src/platform/config": [...floor, "src/platform/slurm/hostlist.ts"],

  // A probe says what its own room needs, so every room above may see what a finding looks like.
  "src/platform/doctor": [...floor, ...services, "src/version.ts"],

  "src/platform/metrics": machine,
  "src/platform/plots": floor,
  "src/platform/reporters": [...machine, "src/platform/plots"],
  "src/platform/store": [...machine, "src/platform/metrics"],
  "src/platform/kube": [...machine, "src/platform/metrics"],
  "src/platform/slurm": [...machine, "src/platform/slurm/hostlist.ts"],
  "src/platform/slurm/hostlist.ts": [],
  "src/platform/http": [...machine, "src/platform/metrics"],
  "src/platform/index.ts": ["src/platform", "src/version.ts"],

  "src/runtime": ["src/platform", "src/version.ts"],

  "src/chaos/fault": ["src/runtime", "src/platform", "src/version.ts"],
  "src/chaos/plan": ["src/chaos/fault", "src/runtime/training"],
  "src/chaos/record": ["src/chaos/plan", ...pure],
  "src/chaos/world.ts": ["src/chaos/plan", "src/chaos/record"],
  "src/chaos/ledger": [...floor, ...services],
  // These know nothing of any world, so every world can stand on them.
  "src/chaos/chance": [
    "src/runtime/tensor/kernels/philox",
    "src/runtime/tensor/math",
    "src/runtime/tensor/random",
    "src/platform/rng",
  ],
  "src/chaos/transport": [],
  "src/chaos/failure-model": [
    "src/chaos/chance",
    "src/chaos/fault",
    "src/chaos/plan",
    "src/runtime/tensor/math",
  ],
  "src/chaos/elastic": [...chaosWords, ...pure],
  "src/chaos/waits": [...chaosWords, ...pure],
  "src/chaos/numerics": ["src/runtime/checkpoint", "src/runtime/tensor", "src/runtime/training"],
  "src/chaos/judge": [
    "src/chaos/fault",
    "src/chaos/waits",
    ...chaosWords,
    "src/runtime/tensor/math",
    ...pure,
  ],
  // The simulator is deterministic: of the platform it sees only what is pure.
  "src/chaos/sim": [
    "src/chaos/chance",
    "src/chaos/elastic",
    "src/chaos/failure-model",
    "src/chaos/fault",
    "src/chaos/numerics",
    "src/chaos/transport",
    "src/chaos/waits",
    ...chaosWords,
    "src/runtime/planning",
    "src/runtime/tensor/math",
    "src/runtime/tensor/random",
    "src/runtime/training",
    "src/platform/errors",
    ...pure,
    "src/platform/rng",
    "src/platform/time/clock.ts",
  ],
  "src/chaos/processes": [...floor, ...services],
  // A user's own program runs in the host world, which knows it; it does not know the host world.
  "src/chaos/command": [
    "src/chaos/elastic",
    "src/chaos/ledger",
    "src/chaos/processes",
    ...chaosWords,
    ...floor,
    ...services,
  ],
  "src/chaos/host/cleanup": ["src/chaos/ledger", "src/chaos/processes", ...floor, ...services],
  "src/chaos": ["src/chaos", "src/runtime", "src/platform", "src/version.ts"],
  "src/hardware": ["src/chaos/fault", "src/runtime", "src/platform", "src/version.ts"],
  "src/validation": ["src/runtime", "src/platform", "src/version.ts"],

  // What goes over the wire: the dashboard reads these types.
  "src/control/api": ["src/platform/http", "src/platform/words.ts", "src/platform/errors"],
  "src/control": [
    "src/control",
    "src/chaos",
    "src/hardware",
    "src/validation",
    "src/runtime",
    "src/platform",
    "src/version.ts",
  ],

  "src/cli": ["src"],
  "src/index.ts": [
    "src/chaos",
    "src/hardware",
    "src/validation",
    "src/runtime",
    "src/platform",
    "src/version.ts",
  ],

  web: ["src/control/api", "src/platform/units", "src/platform/words.ts"],
  scripts: ["src", "dist"],
  bench: ["src", "scripts/lib", "test/cluster", "test/support"],
  // Fixtures that benchmarks use too.
  "test/support": ["src", "scripts/lib"],
  "test/cluster": ["src", "scripts/lib", "test/support"],
  test: ["src", "web", "scripts", "bench", "examples", "test/cluster", "test/support"],
  // Examples are what a user would type: they know the package by its name only.
  examples: [],
  // Runs on its own, on machines that have nothing else of this.
  integrations: [],
  "vitest.config.ts": [],
};

/**
 * The one home of a package that is heavy, native or wrapped by us. Elsewhere in src it is reached
 * through that home. Packages not listed may be used anywhere.
 */
export const packageHomes: LayerTable = {
  "@hono/node-server": ["src/platform/http"],
  commander: ["src/cli"],
  hono: ["src/platform/http"],
  koffi: ["src/runtime/cuda"],
  kysely: ["src/platform/store"],
  libsql: ["src/platform/store"],
  pg: ["src/platform/store"],
  pino: ["src/platform/log"],
  "prom-client": ["src/platform/metrics"],
};
