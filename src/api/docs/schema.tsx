import type { Child } from "hono/jsx";
import { asSchema, type Document, resolveSchema, type Schema, schemaName } from "./document.ts";
import { schemaAnchor, schemasPath } from "./places.ts";
import { Name, Prose } from "./prose.tsx";
import { Table } from "./table.tsx";

/** Returns the alternative that isn't null if a schema is `X or null`, otherwise the schema itself. */
function essence(schema: Schema): Schema {
  const alternatives = (schema.anyOf ?? []).map(asSchema).filter(({ type }) => type !== "null");
  const [only] = alternatives;
  return only !== undefined && alternatives.length === 1 ? { ...only, ...schema } : schema;
}

/** A schema's type in a word or two. Named schemas link to their section. */
export function TypeLabel({ schema }: { schema: Schema }) {
  if (schema.$ref !== undefined) {
    const name = schemaName(schema.$ref);
    return (
      <a href={`${schemasPath}#${schemaAnchor(name)}`}>
        <Name text={name} />
      </a>
    );
  }
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) {
    return <>{either(choices.map((choice) => <TypeLabel schema={asSchema(choice)} />))}</>;
  }
  if (schema.const !== undefined) return <code>{JSON.stringify(schema.const)}</code>;
  if (schema.type === "array") {
    return (
      <>
        array of <TypeLabel schema={asSchema(schema.items)} />
      </>
    );
  }
  const types = [schema.type ?? "any"].flat().map((type) => <>{type}</>);
  return (
    <>
      {either(types)}
      {schema.format === undefined ? "" : ` (${schema.format})`}
    </>
  );
}

const either = (labels: Child[]): Child[] =>
  labels.flatMap((label, at) => (at === 0 ? label : [" or ", label]));

/** Returns a schema's constraints as sentences. */
function rulesOf(schema: Schema): string[] {
  // A constant is its own type.
  const values = schema.const === undefined ? schema.enum : undefined;
  const list = values?.map((value) => `\`${value}\``).join(", ");
  return [
    list === undefined ? "" : `One of ${list}.`,
    schema.maxLength === undefined ? "" : `At most ${schema.maxLength} characters.`,
    schema.maxItems === undefined ? "" : `At most ${schema.maxItems} items.`,
    schema.minimum === undefined ? "" : `At least ${schema.minimum}.`,
    schema.maximum === undefined ? "" : `At most ${schema.maximum}.`,
    schema.default === undefined ? "" : `Default: \`${schema.default}\`.`,
  ].filter((rule) => rule !== "");
}

/** The schema's description and its rules. */
export function Notes({ schema, description }: { schema: Schema; description?: string | undefined }) {
  const about = essence(schema);
  const text = description ?? about.description;
  const rules = rulesOf(about).join(" ");
  return (
    <>
      {text !== undefined && (
        <p>
          <Prose text={text} />
        </p>
      )}
      {rules !== "" && (
        <p class="rules">
          <Prose text={rules} />
        </p>
      )}
    </>
  );
}

interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
}

/** Returns an object's fields. Those of unnamed nested objects follow their parent, as in `stats.total`. */
function schemaFields(schema: Schema, prefix = ""): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const name = prefix + key;
    const field = essence(asSchema(property));
    const inner =
      field.type === "array"
        ? schemaFields(asSchema(field.items), `${name}[].`)
        : schemaFields(field, `${name}.`);
    return [
      { name, schema: asSchema(property), required: schema.required?.includes(key) ?? false },
      ...inner,
    ];
  });
}

/** An object's fields as a table. @param caption for screen readers */
export function FieldTable({ schema, caption }: { schema: Schema; caption: string }) {
  const fields = schemaFields(schema);
  if (fields.length === 0) return null;
  return (
    <Table kind="fields" caption={caption} columns={["Field", "Type", "Notes"]}>
      {fields.map((field) => (
        <tr>
          <th scope="row">
            <code>
              <Name text={field.name} />
            </code>
            {field.required && <small>required</small>}
          </th>
          <td>
            <TypeLabel schema={field.schema} />
          </td>
          <td>
            <Notes schema={field.schema} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** All named schemas of the document, each with its own anchor. */
export function SchemasSection({ document }: { document: Document }) {
  return (
    <section id="schemas" aria-labelledby="schemas-title">
      <h2 id="schemas-title">Schemas</h2>
      <p>
        Times are ISO 8601 in UTC. Ignore response fields you don't know: new ones may be added. Unknown
        fields of a request are ignored.
      </p>
      {Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => (
        <article id={schemaAnchor(name)} aria-labelledby={`${schemaAnchor(name)}-title`}>
          <details class="fold">
            <summary>
              <h3 id={`${schemaAnchor(name)}-title`}>{name}</h3>
            </summary>
            <SchemaBody document={document} name={name} schema={asSchema(schema)} />
          </details>
        </article>
      ))}
    </section>
  );
}

function SchemaBody(props: { document: Document; name: string; schema: Schema }) {
  const { document, name, schema } = props;
  if (schema.discriminator !== undefined) return <Choices document={document} name={name} schema={schema} />;
  if (schema.properties === undefined) {
    return (
      <>
        <p>
          <TypeLabel schema={schema} />
        </p>
        <Notes schema={schema} />
      </>
    );
  }
  return (
    <>
      {schema.description !== undefined && (
        <p>
          <Prose text={schema.description} />
        </p>
      )}
      <FieldTable schema={schema} caption={`Fields of ${name}`} />
      {schema.additionalProperties !== undefined && <p>More fields of your own are allowed.</p>}
    </>
  );
}

/** A discriminated union: the values of its field, each with its shape. */
function Choices({ document, name, schema }: { document: Document; name: string; schema: Schema }) {
  const { propertyName, mapping = {} } = schema.discriminator ?? { propertyName: "" };
  return (
    <>
      <Notes schema={schema} />
      <Table
        kind="fields"
        caption={`Shapes of ${name}, by ${propertyName}`}
        columns={[propertyName, "Shape", "Notes"]}
      >
        {Object.entries(mapping).map(([value, $ref]) => (
          <tr>
            <th scope="row">
              <code>{value}</code>
            </th>
            <td>
              <TypeLabel schema={{ $ref }} />
            </td>
            <td>
              <Notes schema={resolveSchema<Schema>(document, { $ref })} />
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}
