import { version as released } from "../../package.json";

/** The version of this release, such as 1.0.0. */
export const version: string = released;
