import { Empty } from "../../ui/empty.tsx";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { Head } from "../../ui/head.tsx";
import { Icon } from "../../ui/icon.tsx";
import { directionOf } from "../../ui/values/direction.ts";
import { formatCount } from "../../ui/values/format.ts";
import type { DashboardRequest, Fragment, PageResponse } from "../frame/request.ts";
import { findTargets, type TargetGroup } from "./targets.ts";

const path = "/dashboard/go";
const label = "Search or go to";

/** The palette as a page, for use without scripts. The text is in the address. */
export async function goPage(request: DashboardRequest): Promise<PageResponse> {
  const text = request.query.get("q") ?? "";
  const groups = await findTargets(request, text);
  return {
    title: "Search",
    content: (
      <>
        <Head title="Search" />
        <form class="go-form" method="get" action={path}>
          <input class="entry" type="search" name="q" aria-label={label} value={text} autofocus />
          <button class="button primary" type="submit">
            Search
          </button>
        </form>
        {groups.length === 0 && (
          <Empty title={nothing} text="Check the spelling, or search for fewer words." />
        )}
        {groups.map(({ name, targets }) => (
          <section>
            <h2>{name}</h2>
            <ul class="plain go-list">
              {targets.map((target) => (
                <li>
                  {target.isChange ? (
                    <PostForm action={target.href}>
                      <button type="submit">
                        <Inside {...target} />
                      </button>
                    </PostForm>
                  ) : (
                    <a href={target.href} download={target.isFile ? "" : undefined}>
                      <Inside {...target} />
                    </a>
                  )}
                </li>
              ))}
            </ul>
          </section>
        ))}
      </>
    ),
  };
}

type Shown = Pick<TargetGroup["targets"][number], "name" | "icon" | "detail">;

const Inside = ({ name, icon, detail }: Shown) => (
  <>
    <Icon name={icon} size={18} />
    <span dir={directionOf(name)}>{name}</span>{" "}
    {detail !== undefined && <small class="quiet">{detail}</small>}
  </>
);

/** The results in the dialog. */
export async function goResults(request: DashboardRequest): Promise<Fragment> {
  const text = request.query.get("q") ?? "";
  const isTyping = !request.query.has("whole");
  const groups = await findTargets(request, text, { indexOnly: isTyping });
  return { fragment: <Options {...{ groups, text, isTyping }} /> };
}

const nothing = "No results";

interface OptionsProps {
  readonly groups: readonly TargetGroup[];
  readonly text: string;
  /** Whether codes that only contain the text are looked for once nothing more is typed. */
  readonly isTyping: boolean;
}

/** The options of the dialog's list, the first one selected, and their number for the live region. */
function Options({ groups, text, isTyping }: OptionsProps) {
  const all = groups.flatMap(({ targets }) => targets);
  const isOpen = isTyping && text.trim() !== "";
  return (
    <>
      {groups.map(({ name, targets }) => (
        // biome-ignore lint/a11y/useSemanticElements: groups of options in a list are not fieldsets.
        <div role="group" aria-label={name}>
          <div class="go-group caption quiet" aria-hidden="true">
            {name}
          </div>
          {targets.map((target) => {
            const option = {
              id: `go-${all.indexOf(target)}`,
              role: "option",
              tabindex: -1,
              "aria-selected": target === all[0] ? ("true" as const) : ("false" as const),
            };
            return target.isChange ? (
              <PostForm action={target.href} role="presentation">
                <button type="submit" {...option}>
                  <Inside {...target} />
                </button>
              </PostForm>
            ) : (
              <a href={target.href} download={target.isFile ? "" : undefined} {...option}>
                <Inside {...target} />
              </a>
            );
          })}
        </div>
      ))}
      {all.length === 0 && (
        <div class="go-none quiet" aria-hidden="true">
          {isOpen ? "Searching…" : `${nothing} for “${text}”`}
        </div>
      )}
      <span hx-swap-oob="innerHTML:#go-status">
        {all.length > 0 ? formatCount(all.length, "result") : isOpen ? "" : nothing}
      </span>
    </>
  );
}

/** The dialog: a search field and its results. Enter opens the option selected with the arrow keys. */
export function PaletteDialog() {
  return (
    <dialog class="go" id="go" aria-label={label}>
      <form class="go-form" method="get" action={path}>
        <Icon name="search" size={18} />
        <input
          class="entry"
          name="q"
          role="combobox"
          aria-label={label}
          aria-autocomplete="list"
          aria-expanded="true"
          aria-controls="go-options"
          placeholder="Search codes, folders, pages and actions"
          autocomplete="off"
          spellcheck={false}
          enterkeyhint="go"
          hx-get={`${path}/results`}
          hx-trigger="focus once, input changed delay:100ms"
          hx-target="#go-options"
          hx-sync="this:queue last"
        />
        <button class="button plain" type="button" aria-label="Close" data-close="">
          <Icon name="x" />
        </button>
      </form>
      <div
        hx-get={`${path}/results?whole=`}
        hx-trigger="input delay:400ms from:#go"
        hx-include="#go [name=q]"
        hx-target="#go-options"
        hx-sync="this:replace"
      />
      <p class="visually-hidden" id="go-status" role="status" />
      <div class="go-list" id="go-options" role="listbox" aria-label="Results" />
    </dialog>
  );
}
