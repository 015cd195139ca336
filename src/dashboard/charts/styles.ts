/** The charts' part of the dashboard's stylesheet. Their colours are the tokens. */
export const chartStyles = `@layer components {
.chart { container-type: inline-size; margin: 0; }
.chart-frame { display: grid; grid-template-columns: auto minmax(0, 1fr); }
.chart-frame svg { display: block; }
.chart-steps { grid-column: 2; overflow: visible; }
.chart text { fill: var(--quiet); font-size: .75rem; font-variant-numeric: tabular-nums; }
.chart-grid { stroke: var(--line); shape-rendering: crispEdges; }
.chart-scans { fill: var(--accent); }
.chart-bots { fill: var(--quiet); opacity: .45; }
.chart-comparison { fill: none; stroke: var(--text); stroke-width: 1.5; opacity: .65; vector-effect: non-scaling-stroke; }
.chart-target { fill: var(--text); opacity: 0; }
.chart-step:hover .chart-target { opacity: .08; }
.chart-legend { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: .5rem 0; padding: 0; list-style: none; font-size: .875rem; color: var(--quiet); }
.chart-legend li { display: flex; align-items: center; gap: .375rem; }
.chart-table summary { display: inline-flex; align-items: center; min-height: 2.75rem; font-size: .875rem; color: var(--quiet); cursor: pointer; }
.chart-table summary::before { content: "▸"; padding-inline-end: .5rem; }
.chart-table[open] summary::before { content: "▾"; }
.chart-scroll { max-height: 24rem; overflow: auto; }
.chart-table table, .bar-list { width: 100%; border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; }
.chart-table :is(th, td), .bar-list :is(th, td) { padding: .375rem 0 .375rem .75rem; text-align: end; font-weight: normal; }
.chart-table th:first-child, .bar-list th:first-child { padding-inline-start: 0; text-align: start; }
.chart-table th { white-space: nowrap; }
.chart-table thead th, .bar-list thead th { white-space: nowrap; color: var(--quiet); font-size: .8125rem; }
.chart-table tbody tr { border-block-start: 1px solid var(--line); }
.bar-list tbody th { width: 100%; padding-block-end: .5rem; }
.bar-list td { white-space: nowrap; vertical-align: top; }
.bar-list td:last-child { color: var(--quiet); }
.bar-label { display: block; overflow-wrap: anywhere; }
.bar { display: block; margin-block-start: .25rem; }
.bar-track { fill: var(--line); }
.bar-fill { fill: var(--accent); }
.bar-other .bar-label { color: var(--quiet); }
.bar-other .bar-fill { fill: var(--quiet); }
.world-map { display: block; width: 100%; height: auto; }
.world-map path { stroke: var(--background); stroke-width: .5; }
.shade-0 { fill: var(--line); }
.shade-1 { fill: color-mix(in oklab, var(--accent) 28%, var(--line)); }
.shade-2 { fill: color-mix(in oklab, var(--accent) 46%, var(--line)); }
.shade-3 { fill: color-mix(in oklab, var(--accent) 64%, var(--line)); }
.shade-4 { fill: color-mix(in oklab, var(--accent) 82%, var(--line)); }
.shade-5 { fill: var(--accent); }
@container (max-width: 34rem) { .chart-wide { display: none; } }
@media (forced-colors: active) {
  .chart-scans, .bar-fill, .shade-5 { fill: Highlight; }
  .chart-bots { fill: GrayText; }
}
}`;
