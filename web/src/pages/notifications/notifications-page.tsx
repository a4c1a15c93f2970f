import type { NotificationTargetView } from "../../../../src/control/api/notifications.ts";
import { apiSend } from "../../api/client.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatCount } from "../../format.ts";
import {
  Badge,
  Button,
  Code,
  Empty,
  Page,
  Panel,
  ProblemNote,
  QueryView,
  Stat,
  Time,
  useAction,
} from "../../ui/index.ts";

const example = `notifications:
  targets:
    - name: on-call
      kind: slack
      urlFile: /etc/tessera/slack-url
      events: [node.failed, breaker.open, fault.left]`;

/** Where news go: chat rooms and webhooks. */
export default function NotificationsPage() {
  const query = useQuery<{ readonly targets: readonly NotificationTargetView[] }>("notifications", {
    on: ["notification.changed"],
    everyMs: 30_000,
  });
  return (
    <Page
      title="Notifications"
      lede="Who is told about new failures. Targets stand in the configuration: an address is often a secret."
    >
      <QueryView query={query} what="the targets">
        {({ targets }) =>
          targets.length === 0 ? (
            <Panel title="Targets">
              <Empty
                title="Nobody is told"
                text="Notifications are off until the configuration names a target:"
              />
              <Code label="an example of the configuration" text={example} />
            </Panel>
          ) : (
            <div class="grid-2">
              {targets.map((target) => (
                <Target key={target.name} target={target} />
              ))}
            </div>
          )
        }
      </QueryView>
    </Page>
  );
}

function Target({ target }: { readonly target: NotificationTargetView }) {
  const test = useAction(
    async () => {
      await apiSend("POST", `notifications/${encodeURIComponent(target.name)}/test`);
      return true;
    },
    { role: "admin" },
  );
  return (
    <Panel
      title={target.name}
      hint={`${target.kind} at ${target.host}`}
      actions={
        <Button
          small
          busy={test.busy}
          disabled={test.refusal !== undefined}
          title={test.refusal}
          onClick={() => void test.run()}
        >
          Send a test
        </Button>
      }
    >
      <div class="stack">
        <div class="grid-4">
          <Stat label="Delivered" value={formatCount(target.delivered)} />
          <Stat
            label="Waiting"
            value={formatCount(target.waiting)}
            {...(target.waiting > 0 ? { tone: "warn" as const } : {})}
          />
          <Stat
            label="Given up"
            value={formatCount(target.failed)}
            {...(target.failed > 0 ? { tone: "fail" as const } : {})}
          />
        </div>
        <div class="row">
          {target.events.map((event) => (
            <Badge key={event} tone="info" sign="•">
              {event}
            </Badge>
          ))}
        </div>
        <p class="muted small">
          Last delivered: <Time at={target.lastDeliveredAt} relative />
        </p>
        {target.lastError === null ? null : <p class="tone-fail small">{target.lastError}</p>}
        {test.refusal === undefined ? null : <p class="muted small">{test.refusal}</p>}
        {test.result === true ? <p role="status">The test message was delivered.</p> : null}
        {test.problem === undefined ? null : <ProblemNote problem={test.problem} />}
      </div>
    </Panel>
  );
}
