/** Events of htmx that the scripts listen to. */
interface DocumentEventMap {
  "htmx:afterSettle": CustomEvent<{
    readonly boosted: boolean;
    readonly target: Element | null;
    readonly xhr: XMLHttpRequest;
  }>;
  "htmx:beforeSwap": CustomEvent<{
    readonly boosted: boolean;
    readonly target: Element | null;
    readonly shouldSwap: boolean;
    readonly xhr: XMLHttpRequest;
  }>;
  "htmx:beforeProcessNode": Event;
  "htmx:confirm": CustomEvent<{
    readonly elt: Element;
    readonly issueRequest: (skipConfirmation: true) => void;
  }>;
}
