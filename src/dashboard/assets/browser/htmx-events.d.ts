/** Events of htmx that the scripts listen to. */
interface DocumentEventMap {
  "htmx:afterSettle": CustomEvent<{ readonly boosted: boolean }>;
}
