import { z } from "zod";
import { section, setting, wholePath } from "../setting.ts";

export const kubernetesSection = section("Which Kubernetes cluster to talk to.", {
  kubeconfig: setting(z.string().min(1), {
    description:
      "The kubeconfig file. Without it: `KUBECONFIG`, then `~/.kube/config`, then the pod's own service account.",
    examples: ["/etc/tessera/kubeconfig"],
    path: wholePath,
  }),
  context: setting(z.string().min(1), {
    description: "The context of the kubeconfig to use. Without it: its current context.",
    examples: ["gpu-prod"],
  }),
  namespace: setting(
    z
      .string()
      .max(63)
      .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, {
        error: "must consist of lower-case letters, digits and hyphens",
      }),
    {
      description: "The namespace Tessera works in. Without it: the context's own.",
      examples: ["tessera"],
    },
  ),
});
