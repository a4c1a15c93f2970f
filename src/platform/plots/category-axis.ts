import { xAxisTitle } from "./axes.ts";
import type { Area } from "./frame.ts";
import { element, fragment, type Markup } from "./markup.ts";
import { fitText, widestText } from "./text-size.ts";

const sizePx = 12;
const slantedPxMax = 150;
// From here on not every category gets its name.
const namesMany = 30;
const angle = 40;
const sine = Math.sin((angle * Math.PI) / 180);
const cosine = Math.cos((angle * Math.PI) / 180);

/** The names under a row of categories: level where they fit, slanted where not, some where many. */
export interface CategoryAxis {
  /** Room it needs under the area. */
  readonly heightPx: number;
  draw(area: Area): Markup;
}

export function categoryAxis(options: {
  readonly names: readonly string[];
  /** Width of one category, before the exact area is known. */
  readonly slotPx: number;
  readonly title: string;
}): CategoryAxis {
  const { names, slotPx, title } = options;
  const titlePx = title === "" ? 0 : 20;
  const widest = widestText(names, sizePx);
  const level = widest <= slotPx - 6 || (names.length > namesMany && widest <= slantedPxMax / 2);
  const slantedWidth = Math.min(widest, slantedPxMax);
  const labelPx = level ? 22 : 12 + slantedWidth * sine + sizePx;
  const labelRoomPx = level ? widest + 12 : 18;
  const stride = Math.max(1, Math.ceil(labelRoomPx / slotPx));
  return {
    heightPx: labelPx + titlePx + 6,
    draw: (area) => {
      const slot = area.width / Math.max(1, names.length);
      const labels = names.map((name, index) => {
        if (index % stride !== 0) return undefined;
        const x = area.left + (index + 0.5) * slot;
        return level ? levelLabel(name, x, area) : slantedLabel(name, x, area);
      });
      return fragment(...labels, title === "" ? undefined : xAxisTitle(title, area, labelPx + 14));
    },
  };
}

function levelLabel(name: string, x: number, area: Area): Markup {
  return element(
    "text",
    { class: "tp-tick", x, y: area.bottom + 17, "text-anchor": "middle" },
    name,
  );
}

function slantedLabel(name: string, x: number, area: Area): Markup {
  const y = area.bottom + 14;
  // The label reaches down and left from its slot; near the edge there is less room for it.
  const room = Math.min(slantedPxMax, (x - 4) / cosine);
  return element(
    "text",
    {
      class: "tp-tick",
      x,
      y,
      "text-anchor": "end",
      transform: `rotate(-${angle} ${x.toFixed(2)} ${y.toFixed(2)})`,
    },
    fitText(name, sizePx, room),
  );
}
