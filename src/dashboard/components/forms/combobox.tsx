import { controlAttributes, Field, type FieldProps, Select } from "./field.tsx";

interface Props extends FieldProps {
  /** All choices, or the ones that are offered at first if there is a source of more. */
  readonly choices: readonly (readonly [value: string, text: string])[];
  /** The address of more choices, which takes the text to find as `q`. */
  readonly source?: string | undefined;
}

/** One of many choices, found by typing a part of it. Without scripts, the browser's own list. */
export const Combobox = ({ source, ...props }: Props) => (
  <Select {...props} data={{ "data-combobox": "", "data-source": source }} />
);

/** Words of one's own, such as tags, with suggestions. Without scripts, a text with commas. */
export function WordsField(props: FieldProps & { readonly source: string }) {
  const { form, name, source, hint = "Separate them with commas" } = props;
  const described = { ...props, hint };
  const value = form.values.get(name) ?? "";
  const words = value.split(",").flatMap((word) => word.trim() || []);
  const control = (
    <div>
      <input
        class="entry unscripted"
        type="text"
        value={value}
        autocomplete="off"
        data-combobox=""
        data-source={source}
        {...controlAttributes(described)}
      />
      {/* As high as the script makes it, so that nothing moves when it does. */}
      <div class="combobox many entry scripted" aria-hidden="true">
        {words.map((word) => (
          <span class="word">
            {word}
            <span>×</span>
          </span>
        ))}
        <span class="space" />
      </div>
    </div>
  );
  return <Field {...described} control={control} />;
}
