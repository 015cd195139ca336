// Scans as they arrive, on pages that have an element with `data-live`: the address of their stream.

(() => {
  let source = null;
  let watched = null;

  /** How long scans wait for others, to be shown together. Milliseconds. */
  const gathering = 200;

  function watch() {
    const place = document.querySelector("[data-live]");
    if (place === watched) return;
    if (source !== null) source.close();
    watched = place;
    source = null;
    if (place === null || !("EventSource" in window)) return;
    const waiting = place.querySelector("[data-waiting]");
    const arrived = [];
    source = new EventSource(place.dataset.live);
    source.addEventListener("ready", () => {
      waiting.textContent = "Waiting for scans: each shows up here within two seconds.";
    });
    source.addEventListener("scan", (event) => {
      if (arrived.length === 0) setTimeout(() => show(place, arrived.splice(0)), gathering);
      arrived.push(JSON.parse(event.data));
    });
    source.addEventListener("skipped", (event) => count(place, JSON.parse(event.data).scans));
  }

  function count(place, more) {
    const number = place.querySelector("[data-count]");
    const total = Number(number.dataset.count) + more;
    number.dataset.count = total;
    number.textContent = total.toLocaleString("en");
  }

  const devices = { mobile: "Phone", tablet: "Tablet", desktop: "Computer", tv: "Television" };
  const countries = new Intl.DisplayNames("en", { type: "region", fallback: "code" });

  /** Shows scans, which are in the order of their arrival, above those of before. */
  function show(place, arrived) {
    const list = place.querySelector("ol");
    const known = new Set([...list.children].map((item) => item.dataset.id));
    const scans = arrived.filter((scan) => !known.has(scan.id));
    const shown = Number(place.dataset.shown);
    list.prepend(
      ...scans
        .slice(-shown)
        .reverse()
        .map((scan) => itemOf(scan, place.dataset.zone)),
    );
    while (list.children.length > shown) list.lastElementChild.remove();
    count(place, scans.length);
  }

  function itemOf(scan, zone) {
    const item = document.createElement("li");
    item.dataset.id = scan.id;
    const time = document.createElement("time");
    time.dateTime = scan.scannedAt;
    time.textContent =
      new Date(scan.scannedAt).toLocaleString("en-GB", {
        dateStyle: "medium",
        timeStyle: "short",
        timeZone: zone,
      }) +
      " (" +
      zone +
      ")";
    const what = document.createElement("span");
    const country = scan.country === null ? null : countries.of(scan.country);
    what.textContent =
      [scan.city, country, scan.os, devices[scan.device] ?? scan.device]
        .filter((part) => part !== null)
        .join(", ") || "Unknown device";
    item.append(time, what);
    return item;
  }

  watch();
  document.addEventListener("htmx:afterSettle", watch);
})();
