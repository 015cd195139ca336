import type { LabelsInput } from "../../index.ts";
import { command, filterOf, numberOf } from "../command.ts";
import { exitCodes, UsageError } from "../exit-codes.ts";
import { save } from "../files.ts";
import { findCode } from "./codes.ts";

const formats = ["svg", "png", "pdf"] as const;

export const image = command({
  usage: "image CODE",
  help: `
Draws a code. CODE is its id, its short link, its short name, or ext: and your
own id.

Options:
  -o, --output FILE  Such as menu.svg, menu.png or menu.pdf, instead of the
                     standard output
  --format FORMAT    svg, png or pdf (default: by the file's ending, else svg)
  --size N           Pixels of the width (default: 512)
`,
  options: {
    output: { type: "string", short: "o" },
    format: { type: "string" },
    size: { type: "string" },
  },
  async run({ args: [given = ""], values, signal, connect }) {
    const ending = /\.(\w+)$/.exec(values.output ?? "")?.[1]?.toLowerCase();
    const wanted = values.format ?? ending ?? "svg";
    const format = formats.find((each) => each === wanted);
    if (format === undefined) throw new UsageError(`An image is svg, png or pdf, not ${wanted}`);
    const size = numberOf("size", values.size);
    const client = await connect();
    const { id } = await findCode(client, given, signal);
    const file = await client.qr.image(id, size === undefined ? { format } : { format, size }, { signal });
    await save(file, values.output, signal);
    return exitCodes.ok;
  },
});

export const labels = command({
  usage: "labels",
  help: `
Prints codes on a sheet of labels, as PDF.

Options:
  --sheet NAME         3474, 5160, L7160, L7163 or L7651
  --filter NAME=VALUE  Codes with: tag, folderId, q and others
  --id ID              A code, any number of times, instead of --filter
  --start N            The first label to print on (default: 1)
  --copies N           Of each code (default: 1)
  --caption NAME       name, link or tags, any number of times
  -o, --output FILE    Such as labels.pdf
`,
  options: {
    sheet: { type: "string" },
    filter: { type: "string", multiple: true },
    id: { type: "string", multiple: true },
    start: { type: "string" },
    copies: { type: "string" },
    caption: { type: "string", multiple: true },
    output: { type: "string", short: "o" },
  },
  async run({ values, signal, connect }) {
    if (values.sheet === undefined) throw new UsageError("--sheet is missing, such as L7160");
    if ((values.filter === undefined) === (values.id === undefined)) {
      throw new UsageError("Give either --filter, such as tag=menu, or --id.");
    }
    const input = {
      format: values.sheet,
      ...(values.id === undefined ? { filter: filterOf(values.filter) } : { ids: values.id }),
      ...{ start: numberOf("start", values.start), copies: numberOf("copies", values.copies) },
      captions: values.caption,
    };
    const client = await connect();
    await save(await client.prints.labels(input as LabelsInput, { signal }), values.output, signal);
    return exitCodes.ok;
  },
});
