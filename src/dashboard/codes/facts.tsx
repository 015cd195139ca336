import type { Child } from "hono/jsx";
import type { QrData } from "../../contract/resources/qr-data.ts";
import { dataFields } from "./form/data-fields.ts";

/** What a code's data says, with the labels of its form. */
export function factsOf(data: QrData): (readonly [label: string, value: Child])[] {
  if (data.type === "servicepage") return [];
  return dataFields[data.type].flatMap(({ name, label }) => {
    const value = name
      .split(".")
      .reduce<unknown>((found, key) => (found as Record<string, unknown> | undefined)?.[key], { data });
    if (value === undefined) return [];
    const text = Array.isArray(value) ? value.join("\n") : String(value);
    return [[label, <Value text={text} />] as const];
  });
}

/** A text; an address as a link. */
function Value({ text }: { text: string }) {
  if (!/^https?:\/\/\S+$/.test(text)) return <>{text}</>;
  return (
    <a href={text} rel="noreferrer">
      {text}
    </a>
  );
}
