import { limits } from "../../contract/limits.ts";
import type { BrandColor } from "../../contract/resources/images/brand.ts";
import { readColor } from "../../lib/image/color.ts";
import { controlAttributes, Field, TextField } from "../../ui/forms/field.tsx";
import type { FormState } from "../../ui/forms/form.ts";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { Icon } from "../../ui/icon.tsx";
import { brandPath } from "./addresses.ts";

/** The brand's colours, and the form to add one. */
export const Colors = ({ colors, form }: { colors: readonly BrandColor[]; form: FormState }) => (
  <section aria-labelledby="colors-title">
    <h2 id="colors-title">Colours</h2>
    {colors.length > 0 && (
      <ul class="plain brand-colors">
        {colors.map((color) => (
          <li>
            <Swatch color={color} />
            <PostForm action={brandPath}>
              <button class="button plain" type="submit" name="remove" value={color.hex} data-tip="Remove">
                <Icon name="x" />
                <span class="visually-hidden">Remove {color.name ?? color.hex}</span>
              </button>
            </PostForm>
          </li>
        ))}
      </ul>
    )}
    {colors.length < limits.brand.colors ? (
      <PostForm class="add-color" action={brandPath} novalidate>
        <HexField form={form} />
        <TextField form={form} name="name" label={colorLabels.name} maxLength={limits.brand.name} />
        <button class="button" type="submit">
          Add colour
        </button>
      </PostForm>
    ) : (
      <p class="quiet">A brand can have at most {limits.brand.colors} colours. Remove one to add another.</p>
    )}
  </section>
);

export const colorLabels = { hex: "Colour", name: "Name" } as const;

/** A colour with its name, if it has one, and its hex digits. */
const Swatch = ({ color: { hex, name } }: { color: BrandColor }) => (
  <>
    <svg viewBox="0 0 1 1" width="36" height="36" aria-hidden="true">
      <path fill={hex} d="M0 0h1v1H0z" />
    </svg>
    <span>
      {name !== null && (
        <span class="name" dir="auto">
          {name}
        </span>
      )}
      <span class="address">{hex}</span>
    </span>
  </>
);

/** The colour picker's initial value, that of the placeholder. It can't be empty, so this stands for no choice. */
const notPicked = "#14532d";

/**
 * A colour as text, which a script fills in from the colour picker. Without scripts, the picker's value is used if the
 * text is empty.
 */
function HexField({ form }: { form: FormState }) {
  const props = { form, name: "hex", label: colorLabels.hex, required: true } as const;
  const text = form.values.get("hex") ?? "";
  const picked = readColor(text);
  return (
    <Field
      {...props}
      control={
        <span class="entry color-entry">
          <input
            type="color"
            name="picked"
            value={picked === null || picked === "transparent" ? notPicked : picked}
            aria-label="Pick a colour"
            data-into="hex"
          />
          <input
            class="address"
            type="text"
            placeholder={notPicked}
            maxlength={50}
            autocapitalize="none"
            spellcheck={false}
            value={text}
            {...controlAttributes(props)}
          />
        </span>
      }
    />
  );
}

/** Reads the colour that a form adds; undefined if there is none or it is invalid. */
export function readBrandColor(form: URLSearchParams): BrandColor | undefined {
  const picked = form.get("picked") ?? notPicked;
  const text = form.get("hex")?.trim() || (picked === notPicked ? "" : picked);
  const hex = readColor(text);
  if (hex === null || hex === "transparent") return undefined;
  return { hex, name: form.get("name")?.trim() || null };
}
