import { z } from "zod";
import { section, setting, wholePath } from "../setting.ts";
import { experimentsSection } from "./experiments.ts";
import { hardwareSection } from "./hardware.ts";
import { kubernetesSection } from "./kubernetes.ts";
import { logSection } from "./log.ts";
import { notificationsSection } from "./notifications.ts";
import { serverSection } from "./server.ts";
import { slurmSection } from "./slurm.ts";
import { storeSection } from "./store.ts";
import { validationSection } from "./validation.ts";

/** The whole file. A later setting's default may look at an earlier one, so order matters. */
export const rootSection = section("Tessera's configuration.", {
  version: setting(z.literal(1), {
    description: "The version of this file's format.",
    default: 1,
    fileOnly: true,
  }),
  dataDir: setting(z.string().min(1), {
    description: "Where Tessera keeps what it knows: the store, its token, reports.",
    default: ({ env, home }) => `${stateFolder(env["XDG_STATE_HOME"], home)}/tessera`,
    defaultText: "`$XDG_STATE_HOME/tessera`, else `~/.local/state/tessera`",
    examples: ["/var/lib/tessera"],
    path: wholePath,
  }),
  seed: setting(
    z.union([z.string().min(1), z.int().transform(String)], {
      error: "must be text or a whole number of at most 15 digits",
    }),
    {
      description:
        "Makes everything that involves chance repeatable. Without it each run draws a new seed and prints it.",
      examples: ["nightly-17", 42],
    },
  ),
  log: logSection,
  server: serverSection,
  store: storeSection,
  kubernetes: kubernetesSection,
  slurm: slurmSection,
  validation: validationSection,
  notifications: notificationsSection,
  experiments: experimentsSection,
  hardware: hardwareSection,
});

/** The XDG rules: a relative path in the variable counts as not set. */
function stateFolder(xdgStateHome: string | undefined, home: string): string {
  return xdgStateHome?.startsWith("/") ? xdgStateHome : `${home}/.local/state`;
}
