/** A signal that aborts when this process should end: on Ctrl-C, on a signal, or when the npm that runs it has ended. */
export function shutdownSignal(): AbortSignal {
  const controller = new AbortController();
  // `on` instead of `once`: a second Ctrl-C must not end this process before its children.
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(name, () => controller.abort());

  // A signal sent to npm alone ends npm's shell but does not reach this process, which then gets another parent.
  const parent = process.ppid;
  const checkParent = () => process.ppid !== parent && controller.abort();
  if (process.env.npm_lifecycle_event !== undefined) setInterval(checkParent, 500).unref();

  return controller.signal;
}
