import { formatCount } from "../components/values/format.ts";
import { Head } from "../components/head.tsx";
import type { Fragment, PageResponse, DashboardRequest } from "../frame/request.ts";
import { findTargets, type TargetGroup } from "./targets.ts";

const path = "/dashboard/go";
const label = "Go to a code, folder, page or action";

/** Where to go, as a page: what the dialog does, without scripts. The text is in the address. */
export async function goPage(request: DashboardRequest): Promise<PageResponse> {
  const text = request.query.get("q") ?? "";
  const groups = await findTargets(request, text);
  return {
    title: "Go to",
    content: (
      <>
        <Head title="Go to" />
        <form class="go-form" method="get" action={path}>
          <input class="entry" type="search" name="q" aria-label={label} value={text} autofocus />
          <button class="button primary" type="submit">
            Find
          </button>
        </form>
        {groups.length === 0 && <p>{nothing}</p>}
        {groups.map(({ name, targets }) => (
          <section>
            <h2>{name}</h2>
            <ul class="plain go-list">
              {targets.map((target) => (
                <li>
                  <a href={target.href}>
                    {target.name} <small class="quiet">{target.detail}</small>
                  </a>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </>
    ),
  };
}

/** The results in the dialog. */
export async function goResults(request: DashboardRequest): Promise<Fragment> {
  const groups = await findTargets(request, request.query.get("q") ?? "");
  return { fragment: <Options groups={groups} /> };
}

const nothing = "Nothing is called that.";

/** Options of the dialog's list, the first of which is chosen; and their number, for its live region. */
function Options({ groups }: { groups: readonly TargetGroup[] }) {
  const all = groups.flatMap(({ targets }) => targets);
  return (
    <>
      {groups.map(({ name, targets }) => (
        // biome-ignore lint/a11y/useSemanticElements: groups of options in a list are no fieldsets.
        <div role="group" aria-label={name}>
          <div class="go-group small quiet" aria-hidden="true">
            {name}
          </div>
          {targets.map((target) => (
            <a
              href={target.href}
              id={`go-${all.indexOf(target)}`}
              role="option"
              tabindex={-1}
              aria-selected={target === all[0] ? "true" : "false"}
            >
              {target.name} <small class="quiet">{target.detail}</small>
            </a>
          ))}
        </div>
      ))}
      <span hx-swap-oob="innerHTML:#go-status">
        {all.length === 0 ? nothing : formatCount(all.length, "result")}
      </span>
    </>
  );
}

/** The dialog: a text, and the places that it asks for. Enter opens the one that the arrow keys have chosen. */
export function PaletteDialog() {
  return (
    <dialog class="go" id="go" aria-label="Go to">
      <form class="go-form" method="get" action={path}>
        <input
          class="entry"
          type="search"
          name="q"
          role="combobox"
          aria-label={label}
          aria-autocomplete="list"
          aria-expanded="true"
          aria-controls="go-options"
          placeholder={label}
          autocomplete="off"
          hx-get={`${path}/results`}
          hx-trigger="focus once, input changed delay:100ms"
          hx-target="#go-options"
          hx-sync="this:queue last"
        />
        <button class="button" type="button" data-close="">
          Close
        </button>
      </form>
      <p class="small quiet" id="go-status" role="status" />
      <div class="go-list" id="go-options" role="listbox" aria-label="Results" />
    </dialog>
  );
}
