import type { Child } from "hono/jsx";
import { Confirm, type ConfirmProps } from "../../ui/forms/confirm.tsx";
import { NameForm, type NameFormProps } from "../../ui/forms/name-form.tsx";
import { Head } from "../../ui/head.tsx";
import type { PageResponse } from "./request.ts";
import type { Rejection } from "./submit-form.ts";

/** Returns the page of a form. @param rejection why what was submitted was refused, if it was */
export const formPage = (title: string, rejection: Rejection | undefined, content: Child): PageResponse => ({
  title: rejection === undefined ? title : `Problem: ${title}`,
  status: rejection?.status ?? 200,
  content,
});

/** Returns the page that asks before a change is made. @param text what is lost and what is kept */
export const confirmPage = (asked: ConfirmProps, text: Child): PageResponse => ({
  title: asked.title,
  content: <Confirm {...asked}>{text}</Confirm>,
});

interface NamePage extends Omit<NameFormProps, "form" | "back"> {
  readonly title: string;
  readonly back: ConfirmProps["back"];
  readonly values: URLSearchParams;
  readonly rejection: Rejection | undefined;
  /** Hidden fields. */
  readonly hidden?: Child;
}

/** Returns the page of a form that only has a name. */
export const namePage = ({ title, back, values, rejection, hidden, ...field }: NamePage): PageResponse =>
  formPage(
    title,
    rejection,
    <>
      <Head title={title} back={back} />
      <NameForm form={{ values, problems: rejection?.problems ?? {} }} back={back.path} {...field}>
        {hidden}
      </NameForm>
    </>,
  );
