/** Lets the isolate serve its other requests. A loop whose awaits never wait would hold them up until it ends. */
export const yieldToOthers = (): Promise<void> => scheduler.wait(0);
