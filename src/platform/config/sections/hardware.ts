import { z } from "zod";
import { section, setting, wholePath } from "../setting.ts";

export const hardwareSection = section(
  "Hardware faults on live deployments, by the fault API of an installation.",
  {
    faultApiUrl: setting(
      z.url({
        protocol: /^https?$/,
        error: "must be a URL such as https://tessera-fault-api:8443",
      }),
      {
        description:
          "Where the control plane reaches the fault API (`tessera fault-api`): https, or http on this machine. Without it there are no hardware faults in the dashboard.",
        examples: ["https://tessera-fault-api.tessera-hardware:8443"],
      },
    ),
    tokenFile: setting(z.string().min(1), {
      description:
        "A file with the token that the fault API knows the control plane by; read anew for each call. Without it: the pod's own service account token.",
      examples: ["/run/secrets/fault-api-token"],
      path: wholePath,
    }),
  },
);
