import { Combobox } from "../../ui/forms/combobox.tsx";
import { TextField } from "../../ui/forms/field.tsx";
import type { FormState } from "../../ui/forms/form.ts";
import type { Choices, Item, Source } from "./choices.ts";

interface Props {
  readonly source: Source<Item>;
  readonly form: FormState;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly required?: boolean | undefined;
  /** Choices that are not items, such as none. */
  readonly others: readonly (readonly [value: string, text: string])[];
  readonly choices: Choices<Item>;
}

/**
 * A choice of an item. If there are many, scripts request those that match a text; without scripts, a second field
 * finds them.
 */
export function SearchedSelect({ source, choices: { items, hasMore }, others, ...field }: Props) {
  return (
    <div>
      <Combobox
        {...field}
        name={source.field}
        choices={[...others, ...items.map(({ id, name }) => [id, name] as const)]}
        source={hasMore ? `/dashboard/choices/${source.noun}s` : undefined}
      />
      {hasMore && (
        <div class="unscripted">
          <TextField
            form={field.form}
            name={source.findField}
            label={source.findLabel}
            hint={`Words of its name. The list above doesn't include all ${source.noun}s.`}
          />
        </div>
      )}
    </div>
  );
}
