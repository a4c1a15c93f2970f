import { Code } from "../../ui/code.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Words } from "../../ui/words.tsx";
import { XidList } from "./xid-list.tsx";

const install = `kubectl apply -f deploy/hardware/
kubectl label node NODE tessera.dev/hardware-faults=allowed
kubectl -n tessera-hardware port-forward deploy/tessera-fault-api 8080`;

const settings = `hardware:
  faultApiUrl: http://127.0.0.1:8080
  tokenFile: /run/secrets/fault-api-token`;

/** Why nothing can be broken here, and how to change that. What can be learnt without it stays. */
export function NotAvailable(props: { readonly reason: string; readonly brokenNow: string }) {
  const { reason, brokenNow } = props;
  return (
    <div class="stack">
      <p class="faults-now" role="status">
        <strong>{brokenNow}</strong>
      </p>
      <Panel title="Hardware faults cannot be injected from here" hint={<Words text={reason} />}>
        <div class="grid-2">
          <div class="stack">
            <p>
              Faults are carried out by the <strong>fault API</strong>, a small service in the
              cluster under test. It asks the cluster who may, guards what may be broken, and keeps
              the undo of every fault before it acts. Tessera only talks to it.
            </p>
            <ol class="faults-steps">
              <li>Install the fault API and its agents in the cluster.</li>
              <li>Label the nodes that may be broken: nothing else can be.</li>
              <li>Tell Tessera where it is, and start it again.</li>
            </ol>
          </div>
          <div class="stack">
            <Code text={install} label="installation commands" />
            <Code text={settings} label="configuration" />
          </div>
        </div>
      </Panel>
      <XidList />
    </div>
  );
}
