/** Events of htmx that the scripts listen to. */
interface DocumentEventMap {
  "htmx:afterSettle": CustomEvent<{ readonly boosted: boolean }>;
  "htmx:confirm": CustomEvent<{
    readonly elt: Element;
    readonly issueRequest: (skipConfirmation: true) => void;
  }>;
}
