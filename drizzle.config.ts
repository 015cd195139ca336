import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "sqlite",
  schema: [
    "./src/store/schema.ts",
    "./src/store/schema-bulk.ts",
    "./src/store/schema-identity.ts",
    "./src/store/schema-operations.ts",
    "./src/store/schema-sharing.ts",
  ],
  out: "./migrations",
});
