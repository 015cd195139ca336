import { it } from "vitest";
import { readers } from "../../bench/lib/repetitive-texts.ts";

/** In quadratic time, a reader would take longer than a test may. `npm run bench growth` measures how long each takes. */
const length = 2 * 1024 * 1024;

it.each(readers)("$name ends with a repetitive text of 2 MiB", ({ read, repeated }) => {
  read(repeated.repeat(length / repeated.length));
});
