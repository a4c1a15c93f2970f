import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { Empty } from "./notes.tsx";
import { type SortKey, sortRows } from "./sort-rows.ts";
import "./data-table.css";

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  readonly render: (row: Row) => ComponentChildren;
  readonly align?: "left" | "right";
  /** What it is sorted by; a column without it cannot be sorted. */
  readonly sort?: (row: Row) => SortKey;
  /** Left out on small screens. */
  readonly wideOnly?: boolean;
  /** Sentences: on small screens they stand below the rest of the row. */
  readonly long?: boolean;
}

/** A table that can be sorted and whose rows can be opened with mouse and keyboard. */
export function DataTable<Row>(props: {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly onRow?: (row: Row) => void;
  /** What to show without rows: words, or an `Empty` of one's own. */
  readonly empty: ComponentChildren;
  /** What the table is, for those who do not see the heading above it. */
  readonly caption?: string;
  readonly initialSort?: Order;
}) {
  const { columns, rows, onRow } = props;
  const [order, setOrder] = useState(props.initialSort);
  const sorted = useMemo(() => {
    const by = columns.find(({ key }) => key === order?.key)?.sort;
    return by === undefined ? rows : sortRows(rows, by, order?.descending === true);
  }, [rows, order, columns]);
  if (rows.length === 0) {
    return typeof props.empty === "string" ? <Empty title={props.empty} /> : <>{props.empty}</>;
  }
  return (
    <div class="table-scroll" tabIndex={0} role="group" aria-label={props.caption ?? "Table"}>
      <table class={columns.some(({ long }) => long === true) ? "table table-stacks" : "table"}>
        {props.caption === undefined ? null : <caption class="sr">{props.caption}</caption>}
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                class={cellClass(column)}
                aria-sort={ariaSort(column, order)}
              >
                <Heading
                  column={column}
                  order={order}
                  onSort={() => setOrder(nextOrder(column.key, order))}
                />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((row) => (
            <tr key={props.rowKey(row)} {...(onRow === undefined ? {} : opening(() => onRow(row)))}>
              {columns.map((column) => (
                <td key={column.key} class={cellClass(column)}>
                  {column.render(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface Order {
  readonly key: string;
  readonly descending?: boolean;
}

/** The same column again turns the order round. */
function nextOrder(key: string, order: Order | undefined): Order {
  return { key, descending: order?.key === key && order.descending !== true };
}

function Heading<Row>(props: {
  readonly column: Column<Row>;
  readonly order: Order | undefined;
  readonly onSort: () => void;
}) {
  const { column, order } = props;
  if (column.sort === undefined) return <>{column.title}</>;
  const arrow = order?.key !== column.key ? "↕" : order.descending === true ? "↓" : "↑";
  return (
    <button type="button" class="table-sort" onClick={props.onSort}>
      {column.title}
      <span aria-hidden="true">{arrow}</span>
    </button>
  );
}

/** A row that opens; clicks on links and buttons inside it stay theirs. */
function opening(open: () => void) {
  return {
    class: "table-open",
    tabIndex: 0,
    onClick: (event: MouseEvent) => {
      if (!isOwnControl(event.target)) open();
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === "Enter" && event.target === event.currentTarget) open();
    },
  };
}

function isOwnControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("a, button, input, select, summary") !== null;
}

function cellClass<Row>(column: Column<Row>): string {
  const align = column.align === "right" ? "table-right" : "";
  const wide = column.wideOnly === true ? "table-wide" : "";
  const long = column.long === true ? "table-long" : "";
  return [align, wide, long].filter((one) => one !== "").join(" ");
}

function ariaSort<Row>(
  column: Column<Row>,
  order: Order | undefined,
): "ascending" | "descending" | "none" | undefined {
  if (column.sort === undefined) return undefined;
  if (order?.key !== column.key) return "none";
  return order.descending === true ? "descending" : "ascending";
}
