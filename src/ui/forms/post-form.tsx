import { createContext, type JSX, type PropsWithChildren, useContext } from "hono/jsx";
import { HiddenFields } from "./hidden.tsx";

type Fields = readonly (readonly [name: string, value: string])[];

const Common = createContext<Fields>([]);

/** Adds fields to all forms in it that make changes. */
export const WithFormFields = ({ fields, children }: PropsWithChildren<{ readonly fields: Fields }>) => (
  <Common.Provider value={fields}>{children}</Common.Provider>
);

/** A form that makes a change. It sends the fields of the page, such as the workspace that the page is about. */
export const PostForm = ({ children, ...attributes }: PropsWithChildren<JSX.IntrinsicElements["form"]>) => (
  <form method="post" {...attributes}>
    <HiddenFields values={useContext(Common)} />
    {children}
  </form>
);
