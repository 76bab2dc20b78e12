/** Charts of the audit log over time, drawn with uPlot. Loaded when somebody searches. */
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { Series } from "./shapes";

/** One line of a chart. */
export interface ChartLine {
  readonly label: string;
  /** The class that has its colour. */
  readonly colour: string;
  readonly values: (points: Series["points"]) => readonly (number | null)[];
}

const HEIGHT = 170;

/** Draws a chart into an element; the returned function takes it away. */
export function drawChart(
  parent: HTMLElement,
  { points }: Series,
  { lines, unit }: { readonly lines: readonly ChartLine[]; readonly unit: string },
): () => void {
  const [text, grid] = [colourOf(parent, "dim"), colourOf(parent, "grid")];
  const axis = { stroke: text, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } };
  const chart = new uPlot(
    {
      width: Math.max(200, parent.clientWidth),
      height: HEIGHT,
      cursor: { y: false },
      legend: { live: true },
      scales: { x: { time: true }, y: { range: (_chart, _low, high) => [0, Math.max(1, high * 1.1)] } },
      axes: [
        { ...axis, space: 70, values: (_chart, ticks) => timesOf(ticks) },
        { ...axis, size: 60, values: (_chart, ticks) => ticks.map((tick) => `${tick}${unit}`) },
      ],
      series: [
        {},
        ...lines.map(({ label, colour }) => ({ label, stroke: colourOf(parent, colour), width: 2, points: { show: points.length < 30 }, spanGaps: true })),
      ],
    },
    [points.map(({ atMs }) => atMs / 1_000), ...lines.map(({ values }) => [...values(points)])],
    parent,
  );
  const watcher = new ResizeObserver(() => chart.setSize({ width: Math.max(200, parent.clientWidth), height: HEIGHT }));
  watcher.observe(parent);
  return () => {
    watcher.disconnect();
    chart.destroy();
  };
}

/** Times of one or two days, else days. */
function timesOf(ticks: readonly number[]): string[] {
  const isLong = (ticks.at(-1) ?? 0) - (ticks[0] ?? 0) > 2 * 86_400;
  return ticks.map((tick) => {
    const date = new Date(tick * 1_000);
    return isLong
      ? date.toLocaleDateString([], { month: "short", day: "numeric" })
      : date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  });
}

/** A colour as the style sheet has it now, light or dark. */
function colourOf(parent: HTMLElement, name: string): string {
  const probe = document.createElement("span");
  probe.className = `ink ${name}`;
  parent.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
