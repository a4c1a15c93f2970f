import { z } from "zod";
import { section, setting } from "../setting.ts";
import { bytes, duration, serviceAccount } from "../values.ts";

const worlds = z
  .array(z.enum(["sim", "host", "kubernetes", "slurm"]))
  .max(4)
  .refine((names) => new Set(names).size === names.length, {
    error: "must name each world once",
  });

export const experimentsSection = section("Chaos experiments that the control plane runs.", {
  worlds: setting(worlds, {
    description:
      "Where experiments of the API may run: `sim` touches nothing, `host` breaks processes of its own on this machine, `kubernetes` breaks pods, `slurm` breaks jobs and nodes of Slurm. None: none may. Without it: `sim`, and `host` where only this machine can reach the server.",
    examples: [["sim"], ["sim", "kubernetes"]],
  }),
  concurrent: setting(z.int().min(1).max(64), {
    description: "How many may run at the same time; the next ones wait.",
    default: 1,
    examples: [4],
  }),
  waiting: setting(z.int().min(0).max(1000), {
    description: "How many may wait; one more is refused.",
    default: 20,
    examples: [100],
  }),
  timeLimit: setting(duration({ min: 1000, max: 7 * 86_400_000 }), {
    description:
      "How long one may take on this machine's clock before it is stopped, everything undone.",
    as: "timeLimitMs",
    default: "1h",
    examples: ["6h"],
  }),
  memoryLimit: setting(bytes({ min: 128 * 2 ** 20, max: 2 ** 40 }), {
    description:
      "How much memory the process of one, with all that it starts in its group, may hold before it is stopped, everything undone; with a quarter more it is killed and others undo it (on Linux). Half of it for one that is only planned, of which there are two at most.",
    as: "memoryLimitBytes",
    default: "512MiB",
    examples: ["4GiB"],
  }),
  keep: setting(z.int().min(1).max(100_000), {
    description: "How many of the newest are kept with all that is known about them.",
    default: 500,
    examples: [5000],
  }),
  actAs: setting(serviceAccount(), {
    description:
      "The service account whose rights experiments have in Kubernetes, those of `tessera chaos run` too: whoever starts them must be allowed to impersonate it. Without it: the rights of the kubeconfig, or of the pod.",
    examples: ["tessera/tessera-experimenter"],
  }),
  outside: setting(z.boolean(), {
    description:
      "Whether experiments of the API may start programs and ask URLs of their own: workloads and probes of the kinds `command`, `http` and `promql`. Whoever may inject can then run any program as this server's user.",
    default: false,
    examples: [true],
  }),
});
