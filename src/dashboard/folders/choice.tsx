import { Select, TextField } from "../components/field.tsx";
import type { FormState } from "../components/form.ts";
import { type FolderChoices, findField, findLabels } from "./choices.ts";

interface Props {
  readonly form: FormState;
  readonly label: string;
  readonly hint?: string;
  /** Choices that are no folder, such as none. */
  readonly others: readonly (readonly [value: string, text: string])[];
  readonly choices: FolderChoices;
}

/** A choice of a folder; with many folders, also a field to find one by its name. Nothing without folders. */
export function FolderChoice({ form, label, hint, others, choices: { folders, hasMore } }: Props) {
  if (folders.length === 0 && !hasMore) return null;
  return (
    <>
      <Select
        form={form}
        name="folderId"
        label={label}
        hint={hint}
        choices={[...others, ...folders.map(({ id, name }) => [id, name] as const)]}
      />
      {hasMore && (
        <TextField
          form={form}
          name={findField}
          label={findLabels[findField]}
          hint="Words of its name. The list above has not all folders."
        />
      )}
    </>
  );
}
