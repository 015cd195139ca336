/** How reports look, in the layer of the components. */
export const analyticsStyles = `@layer components {
.report-controls { margin: 0 0 1.25rem; }
.report-controls .tabs { margin-block-end: .75rem; }
.report-form { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; }
.report-form label { flex: 1 1 8rem; max-width: 14rem; }
.report-form label span { display: block; margin: 0 0 .25rem; font-size: .875rem; color: var(--quiet); }
.figures .change { margin: .125rem 0 0; font-size: .875rem; font-weight: 400; color: var(--quiet); }
.figures .up strong { color: var(--good); }
.figures .down strong { color: var(--bad); }
.figures .estimate { font-size: .875rem; font-weight: 400; color: var(--quiet); }
.report-grid { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 1.25rem; margin: 0 0 1.25rem; align-items: start; }
.report-grid .card { margin: 0; }
.report-map { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr)); gap: 1.25rem; align-items: center; }
.live-scans { margin: 0; padding: 0; list-style: none; }
.live-scans li { display: flex; flex-wrap: wrap; gap: .25rem .75rem; justify-content: space-between; padding: .5rem 0; border-block-start: 1px solid var(--line); }
.live-count { font-size: 1.5rem; font-weight: 600; font-variant-numeric: tabular-nums; }
}`;
