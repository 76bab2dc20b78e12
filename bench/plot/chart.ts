/** One chart as SVG: cost against a number, both logarithmic; the same input gives the same bytes. */
import { decadesAround, logScale, type Scale } from "./scale.ts";

/** One line of a chart. */
export interface Line {
  readonly name: string;
  /** Ours is drawn strongest, a limit dashed. */
  readonly role: "ours" | "limit" | "peer";
  /** Which of the peers' colours. */
  readonly colour?: number;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

/** What is drawn. */
export interface Chart {
  readonly title: string;
  readonly xTitle: string;
  readonly yTitle: string;
  readonly lines: readonly Line[];
  readonly caption: readonly string[];
  readonly xText: (value: number) => string;
  readonly yText: (value: number) => string;
}

const WIDTH = 780;
const HEIGHT = 450;
const PLOT = { left: 78, right: 550, top: 52, bottom: 340 } as const;
const LABEL_HEIGHT = 17;

/** Colours for a light and a dark page; ground and ink are set too, so a page of either kind is readable. */
const STYLE = `
    svg { font: 13px system-ui, sans-serif; --ground: #ffffff; --ink: #1f2328; --soft: #59636e; --grid: #d8dee4;
      --ours: #0757ad; --limit: #59636e; --peer0: #b34700; --peer1: #7d2bc4; --peer2: #b0205a; }
    @media (prefers-color-scheme: dark) { svg { --ground: #0d1117; --ink: #e6edf3; --soft: #9aa4af; --grid: #2a313a;
      --ours: #58a6ff; --limit: #9aa4af; --peer0: #f0883e; --peer1: #c297ff; --peer2: #f778ba; } }
    text { fill: var(--ink); } .soft { fill: var(--soft); } .title { font-size: 16px; font-weight: 600; } .small { font-size: 11px; }
    .grid { stroke: var(--grid); stroke-width: 1; } path { fill: none; stroke-width: 1.8; } .strong path { stroke-width: 3; } .strong text { font-weight: 600; }
`;

/** Draws a chart. */
export function drawChart(chart: Chart): string {
  const points = chart.lines.flatMap((line) => line.points);
  const xs = points.map(({ x }) => x);
  const x = logScale({ from: Math.min(...xs), to: Math.max(...xs), start: PLOT.left, end: PLOT.right });
  const y = logScale({ ...decadesAround(points.map((point) => point.y)), start: PLOT.bottom, end: PLOT.top });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="${escaped(chart.title)}">`,
    `  <style>${STYLE}  </style>`,
    `  <rect width="${WIDTH}" height="${HEIGHT}" style="fill: var(--ground)"/>`,
    `  <text class="title" x="${PLOT.left}" y="28">${escaped(chart.title)}</text>`,
    ...axes(chart, x, y),
    ...drawLines(chart, x, y),
    ...chart.caption.map(
      (text, index) => `  <text class="soft small" x="12" y="${HEIGHT - 14 - (chart.caption.length - 1 - index) * 15}">${escaped(text)}</text>`,
    ),
    "</svg>",
    "",
  ].join("\n");
}

function axes({ xTitle, yTitle, xText, yText }: Chart, x: Scale, y: Scale): readonly string[] {
  const { left, right, top, bottom } = PLOT;
  const middle = round((left + right) / 2);
  return [
    ...y.decades.flatMap((value) => [
      `  <line class="grid" x1="${left}" y1="${round(y.place(value))}" x2="${right}" y2="${round(y.place(value))}"/>`,
      `  <text class="soft" x="${left - 8}" y="${round(y.place(value) + 4)}" text-anchor="end">${yText(value)}</text>`,
    ]),
    ...x.decades.flatMap((value) => [
      `  <line class="grid" x1="${round(x.place(value))}" y1="${top}" x2="${round(x.place(value))}" y2="${bottom}"/>`,
      `  <text class="soft" x="${round(x.place(value))}" y="${bottom + 18}" text-anchor="middle">${xText(value)}</text>`,
    ]),
    `  <text class="soft" x="${middle}" y="${bottom + 38}" text-anchor="middle">${escaped(xTitle)}</text>`,
    `  <text class="soft" x="${left}" y="${top - 8}">${escaped(yTitle)}</text>`,
  ];
}

function drawLines({ lines, yText }: Chart, x: Scale, y: Scale): readonly string[] {
  const ends = lines.map(({ points }) => y.place(points.at(-1)?.y ?? 1));
  const labels = spread(ends);
  return lines.flatMap(({ name, role, points, colour: peer = 0 }, index) => {
    const colour = role === "peer" ? `peer${peer}` : role;
    const path = points.map((point, at) => `${at === 0 ? "M" : "L"}${round(x.place(point.x))} ${round(y.place(point.y))}`).join("");
    const dash = role === "limit" ? ` stroke-dasharray="5 4"` : "";
    const label = labels[index] ?? 0;
    return [
      `  <g${role === "ours" ? ` class="strong"` : ""}>`,
      `    <path d="${path}" style="stroke: var(--${colour})"${dash}/>`,
      ...points.map((point) => `    <circle cx="${round(x.place(point.x))}" cy="${round(y.place(point.y))}" r="3" style="fill: var(--${colour})"/>`),
      `    <line x1="${PLOT.right + 4}" y1="${round(ends[index] ?? 0)}" x2="${PLOT.right + 16}" y2="${round(label)}" style="stroke: var(--${colour})"/>`,
      `    <text x="${PLOT.right + 20}" y="${round(label + 4)}" style="fill: var(--${colour})">${escaped(name)}, ${yText(points.at(-1)?.y ?? 0)}</text>`,
      "  </g>",
    ];
  });
}

/** Places labels near the ends of their lines, none on another. */
function spread(wanted: readonly number[]): readonly number[] {
  const placed = [...wanted];
  const order = wanted.map((_, index) => index).toSorted((left, right) => (wanted[left] ?? 0) - (wanted[right] ?? 0));
  let lowest = -Infinity;
  for (const index of order) {
    lowest = Math.max(wanted[index] ?? 0, lowest + LABEL_HEIGHT);
    placed[index] = lowest;
  }
  const excess = Math.max(0, lowest - PLOT.bottom);
  return placed.map((place) => place - excess);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
