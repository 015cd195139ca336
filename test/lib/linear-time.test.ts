import { it } from "vitest";
import { readers } from "../../bench/lib/repetitive-texts.ts";

/**
 * In quadratic time, a reader would take longer than this test may, which is a hundred times what the slowest needs. `npm
 * run bench growth` measures how long each takes.
 */
const length = 512 * 1024;
const timeout = 30_000;

it.each(readers)("$name ends with a repetitive text of 512 KiB", { timeout }, ({ read, repeated }) => {
  read(repeated.repeat(length / repeated.length));
});
