// The service with all modules evaluated at start-up. Without lazy loading, a first scan would have to wait for this.
import "../../src/api/app.ts";
import "../../src/api/docs/page.tsx";
import "../../src/api/openapi.ts";
import "../../src/dashboard/app.tsx";
import "../../src/queues/consume.ts";
import "../../src/scheduled/sweep.ts";
import "jose";
import "openid-client";

export * from "../../src/index.ts";
export { default } from "../../src/index.ts";
