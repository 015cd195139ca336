import type { Child } from "hono/jsx";
import { FormKey } from "../../ui/forms/buttons.tsx";
import type { FormState } from "../../ui/forms/form.ts";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { Problems } from "../../ui/forms/problems.tsx";
import { Head } from "../../ui/head.tsx";
import { WithSprite } from "../../ui/icon.tsx";
import { Menu, MenuDivider, MenuLink } from "../../ui/menu.tsx";
import { PageScript } from "../page-scripts/page-scripts.tsx";
import { EntryList } from "./entries.tsx";
import { labelsOfEntries } from "./entry-types.ts";
import { type PageForm, pageLabels, writePageForm } from "./form-values.ts";
import { ImageStore } from "./image-upload.tsx";
import { PartGroup } from "./part.tsx";
import { FormTexts, HeaderImage, Looks, Texts } from "./parts.tsx";

/** The targets of an existing page's menu. */
interface EditedPage {
  readonly url: string;
  readonly hasDraft: boolean;
}

interface Props {
  readonly title: string;
  readonly back: { readonly path: string; readonly name: string };
  /** The editor's address, to which its form is submitted. */
  readonly path: string;
  readonly form: PageForm;
  readonly problems: FormState["problems"];
  readonly focus?: string | undefined;
  /** Undefined for a new page. */
  readonly edited: EditedPage | undefined;
  /** Whether the plan has hosted pages. Existing pages can be edited without. */
  readonly canPreview: boolean;
  /** Whether images can be uploaded: not where files can't be stored. */
  readonly canUpload: boolean;
  /** Shown below the heading. */
  readonly notice: Child;
}

/** The form of a new or existing page, folded into its parts, beside a preview in which they are chosen. */
export function EditorForm(props: Props) {
  const { title, back, path, form, problems, focus, edited, canPreview, canUpload, notice } = props;
  const state: FormState = { values: writePageForm(form), problems, focus };
  const labels = {
    ...pageLabels,
    ...labelsOfEntries("blocks", form.blocks),
    ...labelsOfEntries("fields", form.fields),
    blocks: "Blocks",
    "form.fields": "Form fields",
    page: "Page",
  };
  const isNew = edited === undefined;
  return (
    <PostForm id="page-form" action={path} novalidate data-editor="" data-draft="redraw">
      <PageScript name="editor.js" />
      {/* Enter presses a form's first button. */}
      <Head title={title} back={back}>
        <SaveButtons isNew={isNew} />
        {edited !== undefined && <EditorMenu {...edited} path={path} />}
      </Head>
      {notice}
      {isNew && <FormKey value={form.single.get("key")} />}
      <Problems form={state} labels={labels} />
      <div class="columns with-phone">
        {/* Parts that a request adds have icons that the page may not have shown before. */}
        <WithSprite icons={null}>
          <ImageStore.Provider value={canUpload ? path : undefined}>
            <PartGroup form={state}>
              <div
                id="editor"
                hx-target="#editor"
                hx-select="#editor"
                hx-swap="outerHTML show:none"
                hx-sync="this:queue last"
              >
                <section aria-labelledby="texts-title">
                  <h2 id="texts-title">Page</h2>
                  <Texts form={state} isOpen={focus === "title"} />
                  <HeaderImage form={state} />
                  <Looks form={state} />
                </section>
                <section aria-labelledby="blocks-title">
                  <h2 id="blocks-title">Blocks</h2>
                  <EntryList form={state} list="blocks" entries={form.blocks} path={path} />
                </section>
                <section aria-labelledby="fields-title">
                  <h2 id="fields-title">Form</h2>
                  {form.fields.length === 0 && (
                    <p class="hint">
                      Add fields to show a form at the end of the page. Answers arrive under Submissions.
                    </p>
                  )}
                  <EntryList form={state} list="fields" entries={form.fields} path={path} />
                  <FormTexts form={state} isShown={form.fields.length > 0} />
                </section>
                {state.values.has("version") && (
                  <input type="hidden" name="version" value={state.values.get("version") ?? ""} />
                )}
              </div>
            </PartGroup>
          </ImageStore.Provider>
        </WithSprite>
        {canPreview ? <Preview /> : <p class="quiet">Your plan doesn't include previews of hosted pages.</p>}
      </div>
      <div class="buttons">
        <SaveButtons isNew={isNew} />
        <a class="button" href={back.path}>
          Cancel
        </a>
      </div>
    </PostForm>
  );
}

/** A new page becomes one by being published; before that, only the browser keeps it. */
const SaveButtons = ({ isNew }: { isNew: boolean }) =>
  isNew ? (
    <button class="button primary" type="submit">
      Create page
    </button>
  ) : (
    <>
      <button class="button" type="submit" name="save" value="draft">
        Save draft
      </button>
      <button class="button primary" type="submit" name="save" value="publish">
        Publish
      </button>
    </>
  );

const EditorMenu = ({ url, hasDraft, path }: EditedPage & { path: string }) => (
  <Menu label="More actions" icon="ellipsis">
    <MenuLink href={url} icon="arrow-up-right">
      Open published page
    </MenuLink>
    {hasDraft && (
      <>
        <MenuDivider />
        <MenuLink href={path.replace(/edit$/, "draft/discard")} icon="trash" danger>
          Discard draft
        </MenuLink>
      </>
    )}
  </Menu>
);

/** The page as a phone shows it, folded away on request. Without scripts, a button updates it. */
const Preview = () => (
  <details class="sticky phone-preview" open>
    <summary class="button">Preview</summary>
    <div class="phone">
      <p class="quiet">Choose “Show preview” to see the page here.</p>
      <section class="screen" data-screen="" aria-label="Phone" tabindex={0}>
        <iframe name="preview" title="Preview of the page" sandbox="allow-same-origin" />
      </section>
    </div>
    <div class="buttons">
      <button
        class="button"
        type="submit"
        formaction="/dashboard/pages/preview"
        formtarget="preview"
        data-preview=""
      >
        Show preview
      </button>
      <label class="option">
        <input type="checkbox" name="device" value="dark" data-unkept="" />
        <span>Dark device</span>
      </label>
    </div>
    <p class="small quiet" data-script="" hidden>
      Choose a part of the page to edit it.
    </p>
  </details>
);
