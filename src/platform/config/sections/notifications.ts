import { z } from "zod";
import { section, setting } from "../setting.ts";
import { duration } from "../values.ts";
import { refuseSameNames, shortName } from "./validation-values.ts";

const hourMs = 3_600_000;

/** What can be told, each with how urgent it is. The API lists the same names. */
export const notificationSeverities = {
  "node.failed": "critical",
  "node.recovered": "note",
  "node.closed": "warning",
  "breaker.open": "critical",
  "experiment.failed": "warning",
  "fault.left": "critical",
} as const;

const events = Object.keys(notificationSeverities) as (keyof typeof notificationSeverities)[];

const target = z
  .strictObject({
    name: shortName("a name"),
    kind: z.enum(["webhook", "slack"]),
    url: z.string().min(1).max(2000).optional(),
    urlFile: z.string().min(1).optional(),
    urlEnv: z
      .string()
      .max(200)
      .regex(/^(?!TESSERA_)[A-Z_][A-Z0-9_]*$/, {
        error: "must be the name of a variable, in capitals, that does not begin with TESSERA_",
      })
      .optional(),
    secretFile: z.string().min(1).optional(),
    events: z.array(z.enum(events)).min(1).optional(),
    clusters: z.array(shortName("the name of a cluster")).min(1).max(100).optional(),
    minSeverity: z.enum(["critical", "warning", "note"]).optional(),
  })
  .superRefine(checkAddress);

/** An entry of `notifications.targets`, checked. */
export type NotificationTarget = z.output<typeof target>;

export const notificationsSection = section(
  "Who is told of new failures. Without a target nobody is, and nothing leaves this process.",
  {
    targets: setting(z.array(target).max(20).superRefine(refuseSameNames), {
      description:
        "Each has a `name`, a `kind` (`webhook` or `slack`) and an address: `url`, or `urlFile` or `urlEnv` where the address is a secret, as Slack's are. `secretFile` signs what a webhook gets; `events`, `clusters` and `minSeverity` narrow it down. docs/notifications.md describes them.",
      default: [],
      examples: [
        [
          { name: "on-call", kind: "slack", urlFile: "/run/secrets/slack-url" },
          {
            name: "tickets",
            kind: "webhook",
            url: "https://tickets.example/tessera",
            secretFile: "/run/secrets/tickets",
            events: ["node.failed", "node.recovered"],
          },
        ],
      ],
      path: targetPaths,
      fileOnly: true,
    }),
    linkBase: setting(z.url({ protocol: /^https?$/, error: "must be an http or https URL" }), {
      description:
        "Where people reach the dashboard; messages link to it. Without it they carry no links.",
      examples: ["https://tessera.example"],
    }),
    simulated: setting(z.boolean(), {
      description: "Whether nodes of simulated clusters are told of too; such news says so.",
      default: false,
      examples: [true],
    }),
    groupOver: setting(z.int().min(1).max(100), {
      description:
        "How many messages a target gets in a minute; what comes beyond becomes one message with a list.",
      default: 5,
      examples: [20],
    }),
    giveUpAfter: setting(duration({ min: 60_000, max: 7 * 24 * hourMs }), {
      description: "How long a message that cannot be delivered is tried again.",
      as: "giveUpAfterMs",
      default: "1d",
      examples: ["2h"],
    }),
  },
);

function checkAddress(
  given: {
    readonly kind: string;
    readonly url?: string | undefined;
    readonly urlFile?: string | undefined;
    readonly urlEnv?: string | undefined;
    readonly secretFile?: string | undefined;
  },
  context: z.RefinementCtx,
): void {
  const { kind, url, urlFile, urlEnv, secretFile } = given;
  const problem = (message: string, ...path: string[]) =>
    context.addIssue({ code: "custom", message, path });
  const count = [url, urlFile, urlEnv].filter((way) => way !== undefined).length;
  if (count !== 1) problem("must have exactly one of `url`, `urlFile` and `urlEnv`");
  // Whoever knows the address of a Slack hook can write to the channel.
  if (kind === "slack" && url !== undefined) {
    problem("is a secret for Slack, and those do not belong in this file; use `urlFile`", "url");
  }
  if (url !== undefined && hasPassword(url)) {
    problem("holds a password, and secrets do not belong in this file; use `urlFile`", "url");
  }
  if (kind === "slack" && secretFile !== undefined) {
    problem("signs what webhooks get; Slack does not look at it", "secretFile");
  }
}

function hasPassword(url: string): boolean {
  return /:\/\/[^/?#]*@/.test(url);
}

function targetPaths(
  targets: readonly NotificationTarget[],
  absolute: (path: string) => string,
): NotificationTarget[] {
  return targets.map((one) => ({
    ...one,
    ...(one.urlFile === undefined ? {} : { urlFile: absolute(one.urlFile) }),
    ...(one.secretFile === undefined ? {} : { secretFile: absolute(one.secretFile) }),
  }));
}
