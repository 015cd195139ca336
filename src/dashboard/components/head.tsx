import type { PropsWithChildren } from "hono/jsx";

interface Props {
  readonly title: string;
  /** The page above this one. */
  readonly back?: { readonly path: string; readonly name: string };
}

/** The heading of a page. @param children its actions */
export function Head({ title, back, children }: PropsWithChildren<Props>) {
  return (
    <div class="head">
      <div>
        {back !== undefined && (
          <a class="back" href={back.path}>
            ← {back.name}
          </a>
        )}
        <h1>{title}</h1>
      </div>
      {children !== undefined && <div class="buttons">{children}</div>}
    </div>
  );
}
