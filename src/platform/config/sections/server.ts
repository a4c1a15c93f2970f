import { z } from "zod";
import { section, setting, wholePath } from "../setting.ts";
import { bytes, duration } from "../values.ts";

const perSecond = z.number().min(0.01).max(1_000_000);
const range = z.union([z.cidrv4(), z.cidrv6()], {
  error: "must be a range of addresses, such as 10.0.0.0/8 or fd00::/8",
});

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
  trustedProxies: setting(z.array(range).max(100), {
    description:
      "Proxies between callers and this server, as ranges of addresses. What they write into `X-Forwarded-For` says where a call comes from; from anybody else it is not believed.",
    default: [],
    examples: [["10.0.0.0/8", "fd00::/8"]],
  }),
  rateLimit: section(
    "How much one caller may do: the holder of a token, or an address where no token is needed. Who exceeds it gets 429 and is told how long to wait.",
    {
      reads: setting(perSecond, {
        description: "Reads a second in the long run. An event stream counts once, when it opens.",
        default: 500,
        examples: [50],
      }),
      changes: setting(perSecond, {
        description: "Changes a second in the long run.",
        default: 20,
        examples: [2],
      }),
      failedTokens: setting(perSecond, {
        description: "Tokens that are not good, a second in the long run, from one address.",
        default: 1,
        examples: [0.1],
      }),
      burst: setting(duration({ min: 1000, max: 3_600_000 }), {
        description: "How long a quiet caller saves up what it does not use.",
        as: "burstMs",
        default: "30s",
        examples: ["1m"],
      }),
    },
  ),
  clusterTokens: section(
    "Tokens of Kubernetes, for callers in a cluster. The API server says whose a token is and what they may do: the verbs `read`, `operate`, `inject` and `admin` on `controlplanes` of the group `tessera.dev`.",
    {
      enabled: setting(z.boolean(), {
        description:
          "Accept tokens of Kubernetes besides Tessera's own. Needs the rights to create token reviews and subject access reviews.",
        default: false,
        examples: [true],
      }),
      audiences: setting(z.array(z.string().min(1)).max(10), {
        description:
          "Accept only tokens made for one of these. Empty: those made for the API server itself.",
        default: [],
        examples: [["tessera"]],
      }),
    },
  ),
});
