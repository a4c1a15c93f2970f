import { useState } from "preact/hooks";
import type { TokenListView, TokenView } from "../../../../src/control/api/system.ts";
import { isSigningIn, may } from "../../api/session.ts";
import { useQuery } from "../../api/use-query.ts";
import {
  Badge,
  Button,
  DataTable,
  Empty,
  listCursor,
  nowMs,
  Page,
  Pager,
  Panel,
  QueryView,
  refusalOf,
  Time,
} from "../../ui/index.ts";
import { NewTokenDialog } from "./new-token-dialog.tsx";
import { RevokeDialog } from "./revoke-dialog.tsx";
import { roleTexts, tokenState } from "./token-words.ts";

/** Who may do what; for administrators. */
export default function TokensPage() {
  const isAdmin = may("admin");
  const query = useQuery<TokenListView>(isAdmin ? "tokens" : null, {
    query: { limit: 100, cursor: listCursor() },
    everyMs: 30_000,
  });
  const [isMaking, setMaking] = useState(false);
  return (
    <Page
      title="Tokens"
      lede="Every program and person that changes something has a token. Only its hash is kept."
      actions={
        isAdmin ? (
          <Button kind="primary" onClick={() => setMaking(true)}>
            New token
          </Button>
        ) : undefined
      }
    >
      {isAdmin ? (
        <Panel title="Tokens" flush>
          <QueryView query={query} what="the tokens">
            {({ tokens, next }) => (
              <>
                <TokenTable tokens={tokens} onChange={query.reload} />
                <Pager next={next} />
              </>
            )}
          </QueryView>
        </Panel>
      ) : (
        <Panel title="Tokens">
          <Empty
            title="Tokens are for administrators"
            text={refusalOf("admin")}
            action={
              <Button
                kind="primary"
                onClick={() => {
                  isSigningIn.value = true;
                }}
              >
                Sign in
              </Button>
            }
          />
        </Panel>
      )}
      <NewTokenDialog open={isMaking} onClose={() => setMaking(false)} onMade={query.reload} />
    </Page>
  );
}

function TokenTable(props: {
  readonly tokens: readonly TokenView[];
  readonly onChange: () => void;
}) {
  const [asked, setAsked] = useState<TokenView | undefined>(undefined);
  return (
    <>
      <DataTable
        caption="Tokens"
        rows={props.tokens}
        rowKey={({ id }) => id}
        empty={
          <Empty
            title="No tokens were made"
            text="The administrator's own, which is kept outside this list, is all there is."
          />
        }
        columns={[
          { key: "name", title: "Holder", render: ({ name }) => name, sort: ({ name }) => name },
          {
            key: "role",
            title: "May",
            render: ({ role }) => roleTexts[role],
            sort: ({ role }) => role,
          },
          { key: "state", title: "State", render: (token) => <State token={token} /> },
          {
            key: "made",
            title: "Made",
            render: ({ createdAt }) => <Time at={createdAt} />,
            sort: ({ createdAt }) => createdAt,
          },
          {
            key: "until",
            title: "Good until",
            render: ({ expiresAt }) =>
              expiresAt === null ? "it is revoked" : <Time at={expiresAt} />,
          },
          {
            key: "revoke",
            title: "Revoke",
            align: "right",
            render: (token) =>
              tokenState(token, nowMs.value) === "good" ? (
                <Button small kind="danger" onClick={() => setAsked(token)}>
                  Revoke
                </Button>
              ) : null,
          },
        ]}
      />
      <RevokeDialog
        token={asked}
        onClose={() => setAsked(undefined)}
        onRevoked={(id) => {
          props.onChange();
          // Answered late, another dialog may be open by now.
          setAsked((now) => (now?.id === id ? undefined : now));
        }}
      />
    </>
  );
}

function State({ token }: { readonly token: TokenView }) {
  const state = tokenState(token, nowMs.value);
  if (state === "good") {
    return (
      <Badge tone="pass" sign="✓">
        good
      </Badge>
    );
  }
  return (
    <Badge tone="untested" sign="✕">
      {state}
    </Badge>
  );
}
