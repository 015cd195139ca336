import type { oas32 } from "zod-openapi";
import { asSchema, type Document, type Operation, type Ref, resolveSchema } from "./document.ts";
import { curl, exampleOf } from "./example.ts";
import { Code, Name, Prose } from "./prose.tsx";
import { FieldTable, Notes, TypeLabel } from "./schema.tsx";
import { Table } from "./table.tsx";

interface Props {
  readonly document: Document;
  readonly operation: Operation;
}

/** `GET /qr/{id}`, with the method set apart. */
function Route({ method, path }: { method: string; path: string }) {
  return (
    <code class="route">
      <span class={`method ${method.toLowerCase()}`}>{method}</span> {path}
    </code>
  );
}

/** Splits a summary into its first clause, which says what the operation does, and the rest as a sentence. */
export function titleOf({ object }: Operation): { title: string; rest: string } {
  const [, title = "", rest = ""] = /^(.*?)(?:[;:] (.*))?$/.exec(object.summary ?? "") ?? [];
  return { title, rest: rest === "" ? "" : `${rest.charAt(0).toUpperCase()}${rest.slice(1)}.` };
}

/**
 * One operation, with its description and an example to copy. Parameters and responses are collapsed, so that the page
 * stays easy to scan; browsers find text in them, and the script opens them for links.
 */
export function OperationArticle({ document, operation }: Props) {
  const { id, method, path, object } = operation;
  const { title, rest } = titleOf(operation);
  return (
    <article id={id} class="operation" aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>
        <a href={`#${id}`}>
          <Prose text={title} />
        </a>
      </h3>
      <Route method={method} path={path} />
      {rest !== "" && (
        <p>
          <Prose text={rest} />
        </p>
      )}
      {object.description !== undefined && (
        <p>
          <Prose text={object.description} />
        </p>
      )}
      <details class="fold">
        <summary>{partsOf(operation)}</summary>
        <div class="parts">
          <div>
            <Parameters document={document} operation={operation} />
            <RequestBody document={document} operation={operation} />
            <Responses document={document} operation={operation} />
          </div>
          <div class="examples">
            <h4>Example</h4>
            <Code language="Shell" text={curl(document, operation)} />
            <ExampleAnswer document={document} operation={operation} />
          </div>
        </div>
      </details>
    </article>
  );
}

/** Names the collapsed parts of an operation, such as `Parameters, responses, example`. */
function partsOf({ object: { parameters = [], requestBody } }: Operation): string {
  const parts = [
    parameters.length > 0 && "parameters",
    requestBody !== undefined && "request body",
    "responses",
    "example",
  ];
  const text = parts.filter(Boolean).join(", ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function Parameters({ document, operation }: Props) {
  const parameters = operation.object.parameters ?? [];
  if (parameters.length === 0) return null;
  return (
    <>
      <h4>Parameters</h4>
      <Table
        kind="fields"
        caption={`Parameters of ${titleOf(operation).title}`}
        columns={["Name", "Type", "Notes"]}
      >
        {parameters.map((parameter) => (
          <Parameter parameter={resolveSchema(document, parameter)} />
        ))}
      </Table>
    </>
  );
}

function Parameter({ parameter }: { parameter: oas32.ParameterObject }) {
  const schema = asSchema(parameter.schema);
  return (
    <tr>
      <th scope="row">
        <code>
          <Name text={parameter.name} />
        </code>
        <small>
          in {parameter.in}
          {parameter.required ? ", required" : ""}
        </small>
      </th>
      <td>
        <TypeLabel schema={schema} />
      </td>
      <td>
        <Notes schema={schema} description={parameter.description} />
      </td>
    </tr>
  );
}

function RequestBody({ document, operation }: Props) {
  if (operation.object.requestBody === undefined) return null;
  const { content } = resolveSchema(document, operation.object.requestBody);
  return (
    <>
      <h4>Request body</h4>
      {mediaOf(document, content).map(({ type, schema }) => (
        <>
          <p>
            <TypeLabel schema={schema} /> as <code>{type}</code>
          </p>
          <FieldTable
            schema={resolveSchema(document, schema)}
            caption={`Request body of ${titleOf(operation).title}`}
          />
        </>
      ))}
    </>
  );
}

function Responses({ document, operation }: Props) {
  const { title } = titleOf(operation);
  const responses = responsesOf(document, operation);
  const errors = responses.filter(({ status }) => !status.startsWith("2"));
  return (
    <>
      <h4>Responses</h4>
      <ResponseTable
        caption={`Responses of ${title}`}
        responses={responses.filter((each) => !errors.includes(each))}
      />
      {errors.length > 0 && (
        <details>
          <summary>Errors: {errors.map(({ status }) => status).join(", ")}</summary>
          <ResponseTable caption={`Errors of ${title}`} responses={errors} />
        </details>
      )}
    </>
  );
}

function ResponseTable(props: { caption: string; responses: ReturnType<typeof responsesOf> }) {
  return (
    <Table kind="responses" caption={props.caption} columns={["Status", "Meaning", "Body"]}>
      {props.responses.map(({ status, description, media }) => (
        <tr>
          <th scope="row">
            <code class={`status s${status.charAt(0)}`}>{status}</code>
          </th>
          <td>
            <Prose text={description} />
          </td>
          <td>
            {media.map(({ type, schema }) =>
              isJson(type) ? <TypeLabel schema={schema} /> : <code>{type}</code>,
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function ExampleAnswer({ document, operation }: Props) {
  const success = responsesOf(document, operation).find(({ status }) => status.startsWith("2"));
  const json = success?.media.find(({ type }) => isJson(type));
  if (success === undefined || json === undefined) return null;
  return (
    <details>
      <summary>Response {success.status}</summary>
      <Code language="JSON" text={JSON.stringify(exampleOf(document, json.schema, "all"), null, 2)} />
    </details>
  );
}

const isJson = (type: string): boolean => type === "application/json";

function responsesOf(document: Document, operation: Operation) {
  const responses = Object.entries<Ref<oas32.ResponseObject>>(operation.object.responses ?? {});
  return responses.map(([status, response]) => {
    const { description = "", content = {} } = resolveSchema(document, response);
    return { status, description, media: mediaOf(document, content) };
  });
}

function mediaOf(document: Document, content: oas32.ContentObject) {
  return Object.entries(content).map(([type, media]) => ({
    type,
    schema: asSchema(resolveSchema(document, media).schema),
  }));
}
