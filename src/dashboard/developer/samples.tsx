import { CodeBlock } from "../../ui/values/code-block.tsx";
import type { Sample } from "./sample.ts";

interface Props {
  /** Unique on the page. */
  readonly id: string;
  /** The purpose of the samples. */
  readonly label: string;
  readonly samples: readonly Sample[];
}

/** A program in several languages, one of which is shown. Selecting one needs no script. */
export function Samples({ id, label, samples }: Props) {
  return (
    <div class="samples">
      <fieldset class="segmented">
        <legend class="visually-hidden">Language: {label}</legend>
        {samples.map(({ language }, i) => (
          <label>
            <input
              class="covered"
              type="radio"
              name={id}
              value={language}
              checked={i === 0}
              data-sample={i}
            />
            {language}
          </label>
        ))}
      </fieldset>
      {samples.map(({ language, text }, i) => (
        <div class="sample" data-sample={i}>
          <CodeBlock text={text} label={`${label} in ${language}`} language={<span>{language}</span>} />
        </div>
      ))}
    </div>
  );
}
