import { limits } from "../../contract/limits.ts";
import type { PageLook, PageScheme } from "../../contract/resources/enums.ts";
import { imageInWords } from "../../domain/pages/stored-images.ts";
import { lazy } from "../../lib/lazy.ts";
import { withScript } from "../../lib/text/chinese.ts";
import { ColorField, Select, TextArea, TextField } from "../../ui/forms/field.tsx";
import type { FormState } from "../../ui/forms/form.ts";
import { Tiles } from "../../ui/forms/tiles.tsx";
import { languages } from "../../ui/visitors/texts/catalogue.ts";
import { Contrasts } from "./contrast.tsx";
import { colorNames, colorsIn, pageLabels } from "./form-values.ts";
import { ImageUpload } from "./image-upload.tsx";
import { LookPicture, SchemePicture } from "./page-picture.tsx";
import { hasProblem, Part } from "./part.tsx";
import { fileField } from "./uploads.ts";

interface Props {
  readonly form: FormState;
  readonly isOpen?: boolean;
}

const languageNames = lazy(() => new Intl.DisplayNames("en", { type: "language" }));

/** Returns a language's name in English, with the script of Chinese. */
const languageName = (language: string): string => languageNames().of(withScript(language)) ?? language;

/** Title, introduction and language. */
export function Texts({ form, isOpen = false }: Props) {
  const choices = [
    ...languages.map((language) => [language, languageName(language)] as const),
    ["", "Other"] as const,
  ];
  return (
    <Part
      name="texts"
      title="Title and introduction"
      icon="file-text"
      text={form.values.get("title") ?? ""}
      from="title"
      isOpen={isOpen || hasProblem(form, "title", "intro", "language", "otherLanguage")}
    >
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
    </Part>
  );
}

/** The image across the top. */
export const HeaderImage = ({ form }: Pick<Props, "form">) => (
  <Part
    name="header"
    title="Header image"
    icon="image"
    text={imageInWords(form.values.get("header.url") || "None")}
    from="header.url"
    isOpen={form.focus?.includes("header.") === true || hasProblem(form, "header", fileField("header"))}
  >
    <ImageUpload form={form} of="header.url" />
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
  </Part>
);

const formTexts = ["form.button", "form.thanks"] as const;

/** Without fields there is no form, so its texts are kept in hidden fields. */
export function FormTexts({ form, isShown }: { form: FormState; isShown: boolean }) {
  if (!isShown) {
    return (
      <>
        {formTexts.map((name) => (
          <input type="hidden" name={name} value={form.values.get(name) ?? ""} />
        ))}
      </>
    );
  }
  return (
    <Part
      name="form"
      title="Button and thank-you message"
      icon="check"
      text={form.values.get("form.button") || "Send"}
      from="form.button"
      isOpen={hasProblem(form, ...formTexts)}
    >
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
    </Part>
  );
}

const looks = [
  ["plain", "Plain"],
  ["card", "Card"],
  ["bold", "Bold"],
] as const satisfies readonly (readonly [PageLook, string])[];

const schemes = [
  ["auto", "As the device"],
  ["light", "Light"],
  ["dark", "Dark"],
] as const satisfies readonly (readonly [PageScheme, string])[];

/** The look and the colours, shown in small pictures of the page. */
export function Looks({ form }: Props) {
  const { values } = form;
  const name = looks.find(([look]) => look === values.get("look"))?.[1] ?? "";
  const sample = { title: values.get("title") ?? "", colors: colorsIn(values) };
  return (
    <Part
      name="look"
      title="Look and colours"
      icon="palette"
      text={name}
      isOpen={hasProblem(form, "look", "scheme", "colors")}
    >
      <div class="page-looks">
        <Tiles
          name="look"
          label={pageLabels.look}
          chosen={values.get("look") ?? ""}
          form={form}
          tiles={looks.map(([value, text]) => ({
            value,
            text,
            picture: <LookPicture look={value} of={sample} />,
          }))}
        />
        <Tiles
          name="scheme"
          label={pageLabels.scheme}
          chosen={values.get("scheme") ?? ""}
          form={form}
          tiles={schemes.map(([value, text]) => ({
            value,
            text,
            picture: <SchemePicture scheme={value} of={sample} />,
          }))}
        />
      </div>
      <Colors form={form} />
    </Part>
  );
}

/** The pictures of looks and schemes again, in other colours. */
export const NewPictures = ({ values }: { values: URLSearchParams }) => {
  const sample = { title: values.get("title") ?? "", colors: colorsIn(values) };
  return (
    <>
      {looks.map(([look]) => (
        <LookPicture look={look} of={sample} replaces />
      ))}
      {schemes.map(([scheme]) => (
        <SchemePicture scheme={scheme} of={sample} replaces />
      ))}
    </>
  );
};

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
        hx-include="#page-colors, #title"
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
