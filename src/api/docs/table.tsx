import type { Child } from "hono/jsx";

/** A table with named columns. @param caption for screen readers @param children its rows */
export function Table(props: {
  kind?: string;
  caption: string;
  columns: readonly string[];
  children: Child;
}) {
  return (
    <table class={props.kind}>
      <caption class="hidden">{props.caption}</caption>
      <thead>
        <tr>
          {props.columns.map((column) => (
            <th scope="col">{column}</th>
          ))}
        </tr>
      </thead>
      <tbody>{props.children}</tbody>
    </table>
  );
}
