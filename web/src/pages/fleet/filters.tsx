import { setQuery } from "../../router.ts";
import { Button, Field } from "../../ui/index.ts";
import { type FleetView, fleetViews, isFiltered, nodeUses, notKnown } from "./filter-query.ts";
import { type Closed, closedWords, type FleetFilter } from "./heat/select.ts";

const viewTitles: Readonly<Record<FleetView, string>> = {
  checks: "Checks",
  nodes: "Nodes",
  table: "Table",
};

const closedTitles: Readonly<Record<Closed, string>> = {
  "by-tessera": "by Tessera",
  "by-others": "by others",
  not: "open to users",
};

/** Everything that narrows the fleet down; it lives in the page's address, so it can be sent on. */
export function Filters(props: {
  readonly view: FleetView;
  readonly filter: FleetFilter;
  readonly search: string;
  readonly racks: readonly string[];
  readonly skus: readonly string[];
  readonly checks: readonly string[];
}) {
  const { filter, view, search } = props;
  return (
    <div class="fleet-filters">
      <fieldset class="fleet-views">
        <legend class="sr">How to show the fleet</legend>
        {fleetViews.map((one) => (
          <Button
            key={one}
            small
            aria-pressed={view === one}
            onClick={() => setQuery({ view: one })}
          >
            {viewTitles[one]}
          </Button>
        ))}
      </fieldset>
      <Field label="Search" inline>
        <input
          type="search"
          value={search}
          placeholder="node, rack or SKU"
          onInput={(event) => setQuery({ search: event.currentTarget.value })}
        />
      </Field>
      <Choice name="use" label="Use" value={filter.use} values={nodeUses} />
      <Choice name="rack" label="Rack" value={filter.rack} values={props.racks} />
      <Choice name="sku" label="SKU" value={filter.sku} values={props.skus} />
      {view === "table" ? null : (
        <>
          <Choice name="check" label="Check" value={filter.check} values={props.checks} />
          <Choice
            name="closed"
            label="Closed"
            value={filter.closed}
            values={closedWords}
            titles={closedTitles}
          />
        </>
      )}
      {(isFiltered(filter) || search !== "") && (
        <Button
          small
          onClick={() =>
            setQuery({
              standing: undefined,
              use: undefined,
              rack: undefined,
              sku: undefined,
              check: undefined,
              closed: undefined,
              search: undefined,
            })
          }
        >
          Show all
        </Button>
      )}
    </div>
  );
}

function Choice(props: {
  readonly name: string;
  readonly label: string;
  readonly value: string | undefined;
  readonly values: readonly string[];
  readonly titles?: Readonly<Record<string, string>>;
}) {
  const { name, label, value, values } = props;
  if (values.length < 2 && value === undefined) return null;
  return (
    <Field label={label} inline>
      <select
        value={value === "" ? notKnown : (value ?? "")}
        onChange={(event) => setQuery({ [name]: event.currentTarget.value })}
      >
        <option value="">all</option>
        {values.map((one) => (
          <option key={one} value={one === "" ? notKnown : one}>
            {one === "" ? "not known" : (props.titles?.[one] ?? one)}
          </option>
        ))}
      </select>
    </Field>
  );
}
