import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";

// Test files share a runtime: each begins with empty storage, as if it had one to itself.
await reset();
await applyD1Migrations(env.DB, env.MIGRATIONS);
