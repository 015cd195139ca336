import { generate, type Load } from "./generator.ts";

// Runs the load generator in its own process, so that its CPU can be measured and it can have its own core.
process.on("message", async (load: Load) => {
  try {
    process.send?.({ result: await generate(load) });
  } catch (error) {
    process.send?.({ error: String(error) });
  }
});
process.once("disconnect", () => process.exit());
