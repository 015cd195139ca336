import type { Child } from "hono/jsx";
import { Checkbox, TextArea, TextField } from "../../ui/forms/field.tsx";
import { type FormState, fieldSentence, problemOf } from "../../ui/forms/form.ts";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { additionsTo, type Entry, entryTypeOf, type ListName, listNames, summaryOf } from "./entry-types.ts";
import { ImageUpload } from "./image-upload.tsx";
import { hasProblem, Part } from "./part.tsx";
import { fileField } from "./uploads.ts";

interface ListProps {
  readonly form: FormState;
  readonly list: ListName;
  readonly entries: readonly Entry[];
  /** The page's address, which handles the buttons. */
  readonly path: string;
}

/** Blocks or form fields, with buttons to add, move and remove them. The buttons store nothing. */
export function EntryList({ form, list, entries, path }: ListProps) {
  const problem = form.problems[listNames[list]];
  return (
    <>
      {problem !== undefined && (
        <p class="problem" id={listNames[list]}>
          {fieldSentence("The list", problem)}
        </p>
      )}
      <ol class="plain entries" data-entries="">
        {entries.map((entry, i) => (
          <EntryItem form={form} list={list} entry={entry} at={i} path={path} />
        ))}
      </ol>
      <div class="buttons additions">
        <span class="quiet">Add:</span>
        {additionsTo(list).map(({ name, label, icon }, i) => (
          <ActionButton
            action={`${list}.add.${name}`}
            id={i === 0 ? `${list}.add` : undefined}
            path={path}
            form={form}
          >
            <Icon name={icon} />
            <span class="visually-hidden">Add: </span>
            {label}
          </ActionButton>
        ))}
      </div>
    </>
  );
}

interface ItemProps extends Pick<ListProps, "form" | "list" | "path"> {
  readonly entry: Entry;
  readonly at: number;
}

/** An entry, folded to a line. The buttons that move it stand outside of the line, which is a button itself. */
function EntryItem({ form, list, entry, at, path }: ItemProps) {
  const type = entryTypeOf(list, entry);
  const kind = type?.name ?? "Unknown";
  const name = `${listNames[list]}.${at}`;
  const number = <span data-number="">{at + 1}</span>;
  const button = (verb: "up" | "down" | "remove", sign: IconName, before: string, after: string) => (
    <ActionButton action={`${list}.${verb}.${at}`} id={`${name}.${verb}`} path={path} form={form} move={verb}>
      <Icon name={sign} />
      <span class="visually-hidden">
        {before} {kind} {number}
        {after}
      </span>
    </ActionButton>
  );
  const { field, text } = summaryOf(list, entry);
  const isFocused = Object.keys(type?.fields ?? {}).some((each) =>
    [`${name}.${each}`, fileField(`${name}.${each}`)].includes(form.focus ?? ""),
  );
  return (
    <li data-entry="">
      <span class="handle" data-handle="" aria-hidden="true">
        ⠿
      </span>
      <input type="hidden" name={`${name}.type`} value={entry.type ?? ""} />
      <Part
        name={name}
        title={
          <span data-name={kind}>
            {number}. {kind}
          </span>
        }
        icon={type?.icon ?? "circle-alert"}
        text={text}
        from={`${name}.${field}`}
        isOpen={isFocused || hasProblem(form, name, fileField(name))}
      >
        <EntryFields form={form} list={list} entry={entry} name={name} />
      </Part>
      <div class="moves">
        {button("up", "arrow-up", "Move", " up")}
        {button("down", "arrow-down", "Move", " down")}
        {button("remove", "x", "Remove", "")}
      </div>
    </li>
  );
}

interface ButtonProps {
  /** The button's value, which names the change. */
  readonly action: string;
  readonly id?: string | undefined;
  readonly path: string;
  readonly form: FormState;
  readonly move?: string;
  readonly children?: Child;
}

/** A button that changes the form's lists. With scripts, only the form's content is replaced. */
function ActionButton({ action, id, path, form, move, children }: ButtonProps) {
  return (
    <button
      class="button"
      type="submit"
      name="do"
      value={action}
      id={id}
      autofocus={id !== undefined && form.focus === id}
      data-move={move === "up" || move === "down" ? move : undefined}
      hx-post={path}
    >
      {children}
    </button>
  );
}

interface FieldsProps extends Pick<ListProps, "form" | "list"> {
  readonly entry: Entry;
  /** The name of the entry in the form. */
  readonly name: string;
}

/** The fields of an entry: single lines, longer texts and checkboxes. */
function EntryFields({ form, list, entry, name }: FieldsProps) {
  const type = entryTypeOf(list, entry);
  if (type === undefined) {
    return <p class="problem">{problemOf(form, name) ?? "This type of entry is unknown. Remove it."}</p>;
  }
  const all = Object.entries(type.fields).map(([field, { input, ...rest }]) => ({
    input,
    props: { form, name: `${name}.${field}`, ...rest },
  }));
  const lines = all.filter(({ input }) => ["line", "address", "image"].includes(input));
  const images = all.filter(({ input }) => input === "image");
  const ticks = all.filter(({ input }) => input === "tick");
  return (
    <>
      {images.map(({ props }) => (
        <ImageUpload form={form} of={props.name} />
      ))}
      {lines.length > 0 && (
        <div class="pair">
          {lines.map(({ input, props }) => (
            <TextField {...props} inputMode={input === "line" ? undefined : "url"} />
          ))}
        </div>
      )}
      {all.map(({ input, props }) =>
        input === "text" || input === "list" ? <TextArea {...props} keepsHint={input === "list"} /> : null,
      )}
      {ticks.length > 0 && (
        <div class="buttons">
          {ticks.map(({ props }) => (
            <Checkbox {...props} />
          ))}
        </div>
      )}
    </>
  );
}
