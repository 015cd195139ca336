/** Aborts once this process is asked to end: by Ctrl-C, by a signal, or by the end of the npm that runs it. */
export function interruption(): AbortSignal {
  const interrupt = new AbortController();
  // `on`, not `once`: a second Ctrl-C must not end us before our children have ended.
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(name, () => interrupt.abort());

  // A signal to npm alone goes no further than npm's shell, which dies of it and leaves us to another parent.
  const parent = process.ppid;
  const watch = () => process.ppid !== parent && interrupt.abort();
  if (process.env.npm_lifecycle_event !== undefined) setInterval(watch, 500).unref();

  return interrupt.signal;
}
