import { Icon } from "../icon.tsx";
import { controlAttributes, type FieldProps, FieldTexts } from "./field.tsx";

interface Props extends FieldProps {
  /** The accepted file types, as in the attribute `accept`. */
  readonly accept: string;
  /** Its name in problems, if the label is a call to action. */
  readonly subject?: string;
}

/** A file, chosen or dropped into a dashed area. Without scripts, the browser's own control does both. */
export function Dropzone(props: Props) {
  const { form, name, label, accept, subject = label } = props;
  return (
    <div class={name in form.problems ? "field wrong" : "field"}>
      <div class="dropzone" data-dropzone="">
        <Icon name="upload" size={20} />
        <label for={name}>{label}</label>
        <input class="file" type="file" accept={accept} {...controlAttributes(props)} required={false} />
      </div>
      <FieldTexts {...props} label={subject} />
    </div>
  );
}
