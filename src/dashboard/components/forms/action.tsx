import type { PropsWithChildren } from "hono/jsx";

/** A button that submits a change without further fields. */
export function Action({ path, danger, children }: PropsWithChildren<{ path: string; danger?: boolean }>) {
  return (
    <form method="post" action={path}>
      <button class={danger === true ? "button danger" : "button"} type="submit">
        {children}
      </button>
    </form>
  );
}
