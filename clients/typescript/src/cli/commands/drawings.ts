import type { LabelsInput } from "../../index.ts";
import { command, filterOf, numberOf } from "../command.ts";
import { exitCodes, UsageError } from "../exit-codes.ts";
import { save } from "../files.ts";
import { findCode, idsOfInput } from "./codes.ts";

const formats = ["svg", "png", "pdf"] as const;
const sheets = ["3474", "5160", "L7160", "L7163", "L7651"];

export const image = command({
  usage: "image CODE",
  about: "Draw a code",
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
  choices: { format: formats },
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
  about: "Print codes on a sheet of labels",
  help: `
Prints codes on a sheet of labels, as PDF.

Options:
  --sheet NAME         3474, 5160, L7160, L7163 or L7651
  --filter NAME=VALUE  Codes with: tag, folderId, q and others
  --id ID              A code, any number of times, instead of --filter; with -
                       those that the standard input names
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
  choices: { sheet: sheets, caption: ["name", "link", "tags"] },
  async run({ values, signal, connect }) {
    if (values.sheet === undefined) throw new UsageError("--sheet is missing, such as L7160");
    if ((values.filter === undefined) === (values.id === undefined)) {
      throw new UsageError("Give either --filter, such as tag=menu, or --id.");
    }
    const client = await connect();
    const ids = values.id?.includes("-") ? await idsOfInput(client, signal) : values.id;
    const input = {
      format: values.sheet,
      ...(ids === undefined ? { filter: filterOf(values.filter) } : { ids }),
      ...{ start: numberOf("start", values.start), copies: numberOf("copies", values.copies) },
      captions: values.caption,
    };
    await save(await client.prints.labels(input as LabelsInput, { signal }), values.output, signal);
    return exitCodes.ok;
  },
});
