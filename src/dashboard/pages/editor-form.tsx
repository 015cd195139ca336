import { PageScript } from "../assets/page-scripts.tsx";
import { PostForm } from "../../ui/forms/post-form.tsx";
import type { Child } from "hono/jsx";
import { limits } from "../../contract/limits.ts";
import type { PageLook, PageScheme } from "../../contract/resources/enums.ts";
import { languages } from "../../ui/visitors/texts/catalogue.ts";
import { ColorField, Select, TextArea, TextField } from "../../ui/forms/field.tsx";
import { FormKey } from "../../ui/forms/buttons.tsx";
import type { FormState } from "../../ui/forms/form.ts";
import { Head } from "../../ui/head.tsx";
import { Problems } from "../../ui/forms/problems.tsx";
import { Contrasts } from "./contrast.tsx";
import { EntryList } from "./entries.tsx";
import { labelsOfEntries } from "./entry-types.ts";
import { colorNames, type PageForm, pageLabels, writePageForm } from "./form-values.ts";
import { lazy } from "../../lib/lazy.ts";

interface Props {
  readonly title: string;
  readonly back: { readonly path: string; readonly name: string };
  /** The editor's address, to which its form is submitted. */
  readonly path: string;
  readonly form: PageForm;
  readonly problems: FormState["problems"];
  readonly focus?: string | undefined;
  readonly isNew: boolean;
  /** Whether the plan has hosted pages. Existing pages can be edited without. */
  readonly canPreview: boolean;
  /** Shown below the heading. */
  readonly notice: Child;
}

/** The form of a new or existing page, beside a preview in the outline of a phone. */
export function EditorForm(props: Props) {
  const { title, back, path, form, problems, focus, isNew, canPreview, notice } = props;
  const state: FormState = { values: writePageForm(form), problems, focus };
  const labels = {
    ...pageLabels,
    ...labelsOfEntries("blocks", form.blocks),
    ...labelsOfEntries("fields", form.fields),
    blocks: "Blocks",
    "form.fields": "Form fields",
    page: "Page",
  };
  return (
    <PostForm id="page-form" action={path} novalidate data-editor="" data-draft="redraw">
      <PageScript name="editor.js" />
      {/* Enter presses a form's first button. */}
      <Head title={title} back={back}>
        <SaveButton isNew={isNew} />
      </Head>
      {notice}
      {isNew && <FormKey value={form.single.get("key")} />}
      <Problems form={state} labels={labels} />
      <div class="columns with-phone">
        <div
          id="editor"
          hx-target="#editor"
          hx-select="#editor"
          hx-swap="outerHTML show:none"
          hx-sync="this:queue last"
        >
          <Texts form={state} />
          <section aria-labelledby="blocks-title">
            <h2 id="blocks-title">Blocks</h2>
            <p class="hint">Text, links and images below the introduction, in this order.</p>
            <EntryList form={state} list="blocks" entries={form.blocks} path={path} />
          </section>
          <section aria-labelledby="fields-title">
            <h2 id="fields-title">Form</h2>
            <p class="hint">
              Add fields to show a form at the end of the page. Answers arrive under Submissions.
            </p>
            <EntryList form={state} list="fields" entries={form.fields} path={path} />
            <FormTexts form={state} isShown={form.fields.length > 0} />
          </section>
          <Looks form={state} />
          {state.values.has("version") && (
            <input type="hidden" name="version" value={state.values.get("version") ?? ""} />
          )}
        </div>
        {canPreview ? <Preview /> : <p class="quiet">Your plan doesn't include previews of hosted pages.</p>}
      </div>
      <div class="buttons">
        <SaveButton isNew={isNew} />
        <a class="button" href={back.path}>
          Cancel
        </a>
      </div>
    </PostForm>
  );
}

const SaveButton = ({ isNew }: { isNew: boolean }) => (
  <button class="button primary" type="submit">
    {isNew ? "Create page" : "Save changes"}
  </button>
);

const languageNames = lazy(() => new Intl.DisplayNames("en", { type: "language" }));

function Texts({ form }: { form: FormState }) {
  const choices = [
    ...languages.map((language) => [language, languageNames().of(language) ?? language] as const),
    ["", "Other"] as const,
  ];
  return (
    <section aria-labelledby="texts-title">
      <h2 id="texts-title">Page</h2>
      <TextField form={form} name="title" label={pageLabels.title} required maxLength={limits.page.title} />
      <TextArea form={form} name="intro" label={pageLabels.intro} />
      <div class="pair language">
        <Select
          form={form}
          name="language"
          label={pageLabels.language}
          hint="Also the language of buttons and messages"
          choices={choices}
          required
        />
        <TextField
          form={form}
          name="otherLanguage"
          label={pageLabels.otherLanguage}
          hint="A language tag, such as pt-BR or sv"
        />
      </div>
    </section>
  );
}

/** Without fields there is no form, so its texts are kept in hidden fields. */
function FormTexts({ form, isShown }: { form: FormState; isShown: boolean }) {
  if (!isShown) {
    return (
      <>
        {(["form.button", "form.thanks"] as const).map((name) => (
          <input type="hidden" name={name} value={form.values.get(name) ?? ""} />
        ))}
      </>
    );
  }
  return (
    <div class="form-texts">
      <TextField
        form={form}
        name="form.button"
        label={pageLabels["form.button"]}
        hint="Leave empty for “Send”"
        maxLength={limits.page.label}
      />
      <TextArea
        form={form}
        name="form.thanks"
        label={pageLabels["form.thanks"]}
        hint="Shown after the form is sent"
      />
    </div>
  );
}

function Looks({ form }: { form: FormState }) {
  return (
    <section aria-labelledby="looks-title">
      <h2 id="looks-title">Look</h2>
      <div class="pair">
        <Select form={form} name="look" label={pageLabels.look} choices={looks} required />
        <Select form={form} name="scheme" label={pageLabels.scheme} choices={schemes} required />
      </div>
      <Colors form={form} />
      <h3>Header image</h3>
      <div class="pair">
        <TextField
          form={form}
          name="header.url"
          label={pageLabels["header.url"]}
          inputMode="url"
          placeholder="https://example.com/fair.jpg"
        />
        <TextField form={form} name="header.alt" label={pageLabels["header.alt"]} />
      </div>
    </section>
  );
}

const looks: readonly (readonly [PageLook, string])[] = [
  ["plain", "Plain: everything on the background"],
  ["card", "Card: content on a card"],
  ["bold", "Bold: a band behind the title"],
];

const schemes: readonly (readonly [PageScheme, string])[] = [
  ["auto", "Match the visitor's device"],
  ["light", "Always light: the colours below"],
  ["dark", "Always dark: colours derived from them"],
];

function Colors({ form }: { form: FormState }) {
  return (
    <>
      <div class="pair colors" id="page-colors">
        {colorNames.map((name) => (
          <ColorField form={form} name={`colors.${name}`} label={pageLabels[`colors.${name}`]} required />
        ))}
      </div>
      <div
        hx-get="/dashboard/pages/contrast"
        hx-trigger="input delay:150ms from:#page-colors"
        hx-include="#page-colors"
        hx-target="this"
        hx-select="unset"
        hx-swap="innerHTML"
        hx-sync="this:queue last"
        aria-live="polite"
      >
        <Contrasts values={form.values} />
      </div>
    </>
  );
}

/** The page as a phone shows it. Without scripts, a button updates it. */
function Preview() {
  return (
    <div class="sticky phone-preview">
      <div class="phone">
        <p class="quiet">Choose “Preview” to see the page here.</p>
        <iframe name="preview" title="Preview of the page" sandbox="allow-same-origin" />
      </div>
      <div class="buttons">
        <button
          class="button"
          type="submit"
          formaction="/dashboard/pages/preview"
          formtarget="preview"
          data-preview=""
        >
          Preview
        </button>
        <label class="option">
          <input type="checkbox" name="device" value="dark" data-unkept="" />
          <span>Dark device</span>
        </label>
      </div>
      <p class="small quiet">Unfinished blocks aren't shown yet.</p>
    </div>
  );
}
