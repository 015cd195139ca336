/** How reports look, in the layer of the components. */
export const analyticsStyles = `@layer components {
.report-controls { margin: 0 0 1.25rem; }
.report-controls .tabs { margin-block-end: .75rem; }
.report-form { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; }
.report-form label { flex: 1 1 10rem; max-width: 14rem; }
.report-form label span { display: block; margin: 0 0 .25rem; font-size: .875rem; color: var(--quiet); }
.figures .change { margin: .125rem 0 0; font-size: .875rem; font-weight: 400; color: var(--quiet); }
.figures .up strong { font-weight: 600; color: var(--good); }
.figures .down strong { color: var(--bad); }
.figures .estimate { font-size: .875rem; font-weight: 400; color: var(--quiet); }
.report-lists { columns: 20rem; column-gap: 1.25rem; }
.report-lists .card { break-inside: avoid; }
.report-map { display: grid; gap: 1.25rem; align-items: center; }
.options { display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); gap: 0 1rem; }
.notice .copy { flex: 1 1 24rem; }
.rows { margin: 0; padding: 0; list-style: none; }
.rows li { display: flex; flex-wrap: wrap; gap: .25rem .75rem; justify-content: space-between; padding: .5rem 0; border-block-start: 1px solid var(--line); }
.live-count { font-size: 1.5rem; font-weight: 600; font-variant-numeric: tabular-nums; }
@media (min-width: 62rem) { .report-map { grid-template-columns: minmax(0, 8fr) minmax(0, 5fr); } }
}`;
