import { createRedirect } from "./redirect/handler.ts";
import { createDomainAnswer } from "./redirect/domains.ts";
export default { createRedirect, createDomainAnswer };
