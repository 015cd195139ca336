import { license as licensed, version as released } from "../../package.json";

/** The version of this release, such as 1.0.0, or of what comes after it, such as 1.1.0-dev. */
export const version: string = released;

/** The licence of the source, as its SPDX identifier. */
export const license: string = licensed;
