import type { Deps } from "../../../src/domain/deps.ts";

/** Returns ledgers that take no events and history, so that these wait in the outbox. They can be read. */
export const receivingNothing =
  (ledger: Deps["ledger"]): Deps["ledger"] =>
  (workspaceId) => {
    const stub = ledger(workspaceId);
    return new Proxy(stub, {
      get: (_, name) =>
        name === "receive" ? () => Promise.reject(new Error("away")) : Reflect.get(stub, name, stub),
    });
  };
