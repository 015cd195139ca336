/** How the components look, in the order of src/dashboard/components. */
export const componentStyles = `@layer components {
.button { display: inline-flex; gap: .5rem; align-items: center; justify-content: center; min-height: var(--target); padding: .5rem 1rem; border: 1px solid var(--edge); border-radius: var(--radius); background: var(--background); color: var(--text); font: inherit; font-weight: 550; text-align: center; text-decoration: none; cursor: pointer }
.button:hover { background: var(--surface) }
.button.primary { border-color: var(--accent); background: var(--accent); color: var(--on-accent) }
.button.primary:hover { background: color-mix(in oklab, var(--accent) 88%, var(--text)) }
.button.danger { border-color: var(--bad); color: var(--bad) }
.button.danger.primary { background: var(--bad); color: var(--on-bad) }
.buttons { display: flex; flex-wrap: wrap; gap: .625rem; align-items: center; margin: 0 }
.buttons form { display: contents }
.small { font-size: .875rem }
.quiet { color: var(--quiet) }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }

section.card { margin-top: 0 }
.card { margin: 0 0 1.25rem; padding: 1.25rem; border: 1px solid var(--line); border-radius: .75rem; background: var(--background) }
.card > :last-child { margin-bottom: 0 }
.columns { display: grid; gap: 1.25rem; align-items: start }
.columns > * { min-width: 0 }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .75rem; margin: 0 0 1.25rem }
.figures div { padding: 1rem 1.125rem; border: 1px solid var(--line); border-radius: .75rem }
.figures dt { color: var(--quiet); font-size: .875rem }
.figures dd { margin: .125rem 0 0; font-size: 1.5rem; font-weight: 600; font-variant-numeric: tabular-nums; line-height: 1.25 }
.facts { display: grid; gap: .125rem 1.5rem; margin: 0 }
.facts dt { color: var(--quiet); font-size: .875rem }
.facts dd { margin: 0 0 .75rem; white-space: pre-line }

.field { margin: 0 0 1.25rem; min-width: 0; padding: 0; border: 0 }
.field > label, .field > legend, .field .label { display: block; margin: 0 0 .25rem; padding: 0; font-weight: 600 }
.hint { margin: 0 0 .375rem; color: var(--quiet); font-size: .9375rem }
.problem { margin: 0 0 .375rem; color: var(--bad); font-weight: 600 }
.entry { display: block; width: 100%; min-height: var(--target); padding: .5rem .75rem; border: 1px solid var(--edge); border-radius: var(--radius); background: var(--background); color: inherit; font: inherit }
.search .entry { padding-inline-start: 2.5rem }
.entry::placeholder { color: var(--quiet); opacity: 1 }
textarea.entry { min-height: 6rem; resize: vertical }
select.entry { padding-inline-end: 2rem }
.field.wrong { padding-inline-start: .875rem; border-inline-start: 4px solid var(--bad) }
.field.wrong .entry { border-color: var(--bad) }
.entry.choice { width: auto; min-width: 0 }
.option-under .field { margin-bottom: .25rem }
.option-under { margin-bottom: 1rem }
.narrow { max-width: 18rem }
.color { display: flex; gap: .75rem; align-items: center; min-height: var(--target) }
input[type=color] { width: 3.5rem; height: var(--target); padding: .1875rem; border: 1px solid var(--edge); border-radius: var(--radius); background: var(--background); cursor: pointer }
.option { display: flex; gap: .625rem; align-items: center; min-height: var(--target); cursor: pointer }
.option input { flex: none; width: 1.375rem; height: 1.375rem; margin: 0; accent-color: var(--accent) }
.pair { display: grid; gap: 0 1rem; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)) }
.more { margin: 0 0 1.25rem; border: 1px solid var(--line); border-radius: .75rem }
.more > summary { display: flex; flex-wrap: wrap; gap: 0 .75rem; align-items: center; min-height: 3.25rem; padding: .5rem 1.25rem; font-weight: 600; cursor: pointer; list-style: none }
.more > summary::-webkit-details-marker { display: none }
.more > summary::before { content: ""; width: .5rem; height: .5rem; border: solid currentColor; border-width: 0 2px 2px 0; transform: rotate(-45deg) }
.more[open] > summary::before { transform: rotate(45deg) }
.more > summary .quiet { font-weight: 400 }
.more > div { padding: .25rem 1.25rem 0 }
.tabs { display: flex; flex-wrap: wrap; gap: .5rem; margin: 0 0 1.25rem; padding: 0; list-style: none }
.tabs a { display: inline-flex; align-items: center; min-height: var(--target); padding: .375rem .875rem; border: 1px solid var(--line); border-radius: 2rem; color: inherit; text-decoration: none }
.tabs a:hover { background: var(--surface) }
.tabs a[aria-current] { border-color: var(--accent); background: var(--accent-soft); color: var(--accent); font-weight: 600 }

.notice { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; justify-content: space-between; margin: 0 0 1.25rem; padding: .75rem 1rem; border-radius: var(--radius); border-inline-start: 4px solid; background: var(--accent-soft) }
.notice p { margin: 0 }
.notice h2 { margin: 0; font-size: 1rem }
.notice ul { margin: .25rem 0 0; padding-inline-start: 1.25rem }
.notice.good { border-color: var(--good); background: var(--good-soft) }
.notice.warn { border-color: var(--warn); background: var(--warn-soft) }
.notice.bad { border-color: var(--bad); background: var(--bad-soft) }
.notice.info { border-color: var(--accent) }

.badge { display: inline-block; padding: .125rem .5rem; border-radius: 1rem; background: var(--surface); font-size: .8125rem; font-weight: 550; white-space: nowrap }
.badge.good { background: var(--good-soft); color: var(--good) }
.badge.warn { background: var(--warn-soft); color: var(--warn) }
.badge.bad { background: var(--bad-soft); color: var(--bad) }
.tag { display: inline-flex; gap: .25rem; align-items: center; max-width: 100%; min-height: 2rem; padding: .125rem .625rem; border: 1px solid var(--line); border-radius: .375rem; color: inherit; font-size: .8125rem; text-decoration: none }
a.tag:hover { background: var(--surface) }

.empty { padding: 3rem 1.5rem; border: 1px dashed var(--edge); border-radius: .75rem; text-align: center }
.empty p { max-width: 32rem; margin: .5rem auto 1.25rem; color: var(--quiet) }
.empty .buttons { justify-content: center }

.table { width: 100%; border-collapse: collapse }
.table th { padding: .5rem .75rem; border-bottom: 1px solid var(--line); color: var(--quiet); font-size: .875rem; font-weight: 550; text-align: start; white-space: nowrap }
.table td { padding: .75rem; border-bottom: 1px solid var(--line); vertical-align: middle }
.table .number { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap }
.pages { display: flex; gap: .75rem; justify-content: space-between; margin: 1.25rem 0 0 }
.spark { width: 7.5rem; height: 2rem; fill: none; stroke: var(--accent); stroke-width: 1.5; stroke-linejoin: round }
.spark .area { fill: var(--accent-soft); stroke: none }

.filters { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin: 0 0 1rem }
.code-image { width: 3.5rem; max-width: none; height: 3.5rem; border: 1px solid var(--line); border-radius: .375rem; background: #fff }
.codes .what { display: grid }
.codes .what a.name { padding: .5rem 0 .125rem; color: inherit; font-weight: 600; text-decoration: none }
.codes .what a.name:hover { text-decoration: underline }
.codes .where { padding-bottom: .5rem; overflow: hidden; color: var(--quiet); font-size: .875rem; text-overflow: ellipsis; white-space: nowrap }
.codes .number .unit { display: none }
.codes .marks { display: flex; flex-wrap: wrap; gap: .375rem }
.preview > * + * { margin-top: 1rem }
.preview > :last-child { margin-bottom: 0 }
.preview .buttons { justify-content: center }
.sticky > p { margin-top: .5rem; text-align: center }
.preview { padding: 1.25rem; border: 1px solid var(--line); border-radius: .75rem; background: var(--surface); text-align: center }
.preview img { width: 100%; max-width: 16rem; height: auto; margin: 0 auto; aspect-ratio: 1; border-radius: .375rem; background: #fff }
.copy { display: flex; gap: .5rem }
.copy .entry { flex: 1; min-width: 0; font-family: ui-monospace, monospace; font-size: .9375rem }
dialog { max-width: 30rem; padding: 1.5rem; border: 1px solid var(--line); border-radius: .75rem; background: var(--background); color: inherit }
dialog::backdrop { background: rgb(0 0 0 / .45) }
.keys td { padding: .375rem 0 }
.keys td:first-child { width: 7rem; white-space: nowrap }
@media (max-width: 47.99rem) {
  .codes thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
  .codes, .codes tbody { display: block }
  .codes tr { display: grid; grid-template-columns: 3.5rem minmax(0, 1fr); gap: .125rem .875rem; padding: .875rem 0; border-bottom: 1px solid var(--line) }
  .codes td { display: block; grid-column: 2; padding: 0; border: 0; text-align: start }
  .codes td:first-child { grid-column: 1; grid-row: 1 / span 6 }
  .codes td:empty { display: none }
  .codes .number .unit { display: inline }
  .codes .marks { padding: .25rem 0 }
  .codes td.number { text-align: start }
  .filters .choice { flex: 1 1 40%; padding-inline: .625rem 0 }
  .head .button { flex: 1 1 auto }
}
@media (min-width: 48rem) {
  .codes { table-layout: fixed }
  .codes th:nth-child(1) { width: 5rem }
  .codes th:nth-child(3) { width: 22% }
  .codes th:nth-child(4) { width: 7.5rem }
  .codes th:nth-child(5) { width: 9rem }
  .codes th:nth-child(6) { width: 5rem }
  .columns.wide-left { grid-template-columns: minmax(0, 1fr) 18rem }
  .columns.wide-right { grid-template-columns: 20rem minmax(0, 1fr) }
  .sticky { position: sticky; top: 1.25rem }
  .facts { grid-template-columns: max-content minmax(0, 1fr) }
  .facts dt { padding-top: .0625rem; font-size: .9375rem }
  .facts dd { margin-bottom: .5rem }
}
}`;
