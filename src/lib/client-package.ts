import { name } from "../../clients/typescript/package.json";

/** The name under which the client and the command line are published. */
export const clientPackage: string = name;
