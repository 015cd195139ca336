import { controlAttributes, Field, type FieldProps, Select } from "./field.tsx";

interface Props extends FieldProps {
  /** All choices; if there is a source of more, the ones offered initially. */
  readonly choices: readonly (readonly [value: string, text: string])[];
  /** The address of more choices, which takes the search text as `q`. */
  readonly source?: string | undefined;
}

/** A choice among many, found by typing part of its name. Without scripts, a plain select. */
export const Combobox = ({ source, ...props }: Props) => (
  <Select {...props} data={{ "data-combobox": "", "data-source": source }} />
);

/** Free words such as tags, with suggestions. Without scripts, a comma-separated text. */
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
      {/* As high as the script will make it, so that nothing moves. */}
      <div class="combobox many entry scripted" aria-hidden="true">
        {words.map((word) => (
          <span class="word" dir="auto">
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
