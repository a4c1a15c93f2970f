import { z } from "zod";
import { section, setting, wholePath } from "../setting.ts";
import { bytes, duration } from "../values.ts";

export const serverSection = section("The control plane's HTTP server.", {
  host: setting(z.string().min(1), {
    description:
      "The address to listen on. Only this machine can reach the default; any other address makes the token a must.",
    default: "127.0.0.1",
    examples: ["0.0.0.0"],
  }),
  port: setting(z.int().min(0).max(65_535), {
    description: "The port to listen on; 0 takes a free one and prints it.",
    default: 7070,
    examples: [8080],
  }),
  bodyLimit: setting(bytes({ min: 1024, max: 1024 ** 3 }), {
    description: "The largest request body accepted.",
    as: "bodyLimitBytes",
    default: "1MiB",
    examples: ["16MiB"],
  }),
  requestTimeout: setting(duration({ min: 1, max: 3_600_000 }), {
    description:
      "How long a request may take before it is answered with E_TIMEOUT. Event streams are exempt.",
    as: "requestTimeoutMs",
    default: "1m",
    examples: ["5m"],
  }),
  tokenFile: setting(z.string().min(1), {
    description:
      "A file that holds the administrator's token. Without it and without `TESSERA_TOKEN`, a token is made once and kept in `admin-token` in the data folder.",
    examples: ["/run/secrets/tessera-token"],
    path: wholePath,
  }),
});
