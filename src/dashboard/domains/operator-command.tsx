import type { Member } from "../../domain/context/context.ts";
import { operatorCommand } from "../../domain/domains/domains.ts";
import { CopyField } from "../../ui/values/copy-field.tsx";

/** The request to the operator, where only they can add hosts. */
export const OperatorCommand = ({ context }: { context: Member }) => (
  <section class="card" aria-labelledby="ask">
    <h2 id="ask">Ask the operator for a domain</h2>
    <p>
      On this installation, only the operator can add hosts. Send them this command, with your host in place
      of <code>go.example.com</code>. The host has to be in a zone of their Cloudflare account.
    </p>
    <CopyField label="Command for the operator" value={operatorCommand(context, "go.example.com")} />
  </section>
);
