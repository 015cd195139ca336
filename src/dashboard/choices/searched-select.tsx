import { Select, TextField } from "../components/forms/field.tsx";
import type { FormState } from "../components/forms/form.ts";
import type { Choices, Item, Source } from "./choices.ts";

interface Props {
  readonly source: Source<Item>;
  readonly form: FormState;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly required?: boolean | undefined;
  /** Choices that are no item, such as none. */
  readonly others: readonly (readonly [value: string, text: string])[];
  readonly choices: Choices<Item>;
}

/** A choice of an item; of many items, also a field to find one by its name. */
export function SearchedSelect({ source, choices: { items, hasMore }, others, ...field }: Props) {
  return (
    <>
      <Select
        {...field}
        name={source.field}
        choices={[...others, ...items.map(({ id, name }) => [id, name] as const)]}
      />
      {hasMore && (
        <TextField
          form={field.form}
          name={source.findField}
          label={source.findLabel}
          hint={`Words of its name. The list above has not all ${source.noun}s.`}
        />
      )}
    </>
  );
}
