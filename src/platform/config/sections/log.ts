import { z } from "zod";
import { section, setting } from "../setting.ts";

export const logSection = section("What Tessera says on stderr while it works.", {
  level: setting(z.enum(["trace", "debug", "info", "warn", "error", "silent"]), {
    description: "The least important kind of message that is shown.",
    default: "info",
    examples: ["debug"],
  }),
  format: setting(z.enum(["auto", "json", "pretty"]), {
    description:
      "`json` is one object a line for machines, `pretty` is for people, `auto` is `pretty` on a terminal and `json` elsewhere.",
    default: "auto",
    examples: ["json"],
  }),
});
