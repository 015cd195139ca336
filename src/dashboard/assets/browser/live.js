// Scans as they arrive, on pages that have an element with `data-live`: the address of their stream.

(() => {
  let source = null;
  let watched = null;

  function watch() {
    const place = document.querySelector("[data-live]");
    if (place === watched) return;
    if (source !== null) source.close();
    watched = place;
    source = null;
    if (place === null || !("EventSource" in window)) return;
    const waiting = place.querySelector("[data-waiting]");
    source = new EventSource(place.dataset.live);
    source.addEventListener("ready", () => {
      waiting.textContent = "Waiting for scans: each shows up here within two seconds.";
    });
    source.addEventListener("scan", (event) => show(place, JSON.parse(event.data)));
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

  function show(place, scan) {
    const list = place.querySelector("ol");
    if ([...list.children].some((item) => item.dataset.id === scan.id)) return;
    const item = document.createElement("li");
    item.dataset.id = scan.id;
    const time = document.createElement("time");
    time.dateTime = scan.scannedAt;
    const zone = place.dataset.zone;
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
    list.prepend(item);
    while (list.children.length > Number(place.dataset.shown)) list.lastElementChild.remove();
    count(place, 1);
  }

  watch();
  document.addEventListener("htmx:afterSettle", watch);
})();
