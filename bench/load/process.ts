import { generate, type Load } from "./generator.ts";

// The load generator in a process of its own, so that its CPU can be measured and kept off the server's core.
process.on("message", async (load: Load) => {
  try {
    process.send?.({ result: await generate(load) });
  } catch (error) {
    process.send?.({ error: String(error) });
  }
});
process.once("disconnect", () => process.exit());
