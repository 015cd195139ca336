// Scans as they arrive, on pages that have an element with `data-live`: the address of their stream.

(() => {
  /** @typedef {import("../../../contract/resources/scans.ts").ScanEvent} ScanEvent */

  /** @type {EventSource | null} */
  let source = null;
  /** @type {Element | null} */
  let watched = null;

  /** How long scans wait for others, to be shown together. Milliseconds. */
  const gathering = 200;

  function watch() {
    /** @type {HTMLElement | null} */
    const place = document.querySelector("[data-live]");
    if (place === watched) return;
    if (source !== null) source.close();
    watched = place;
    source = null;
    if (place === null || !("EventSource" in window)) return;
    const waiting = place.querySelector("[data-waiting]");
    /** @type {ScanEvent[]} */
    const arrived = [];
    source = new EventSource(place.dataset.live ?? "");
    source.addEventListener("ready", () => {
      if (waiting !== null) waiting.textContent = "Waiting for scans: each shows up here within two seconds.";
    });
    source.addEventListener("scan", (event) => {
      if (arrived.length === 0) setTimeout(() => show(place, arrived.splice(0)), gathering);
      arrived.push(JSON.parse(event.data));
    });
    source.addEventListener("skipped", (event) => count(place, JSON.parse(event.data).scans));
  }

  /**
   * @param {HTMLElement} place
   * @param {number} more
   */
  function count(place, more) {
    /** @type {HTMLElement | null} */
    const number = place.querySelector("[data-count]");
    if (number === null) return;
    const total = Number(number.dataset.count) + more;
    number.dataset.count = String(total);
    number.textContent = total.toLocaleString("en");
  }

  const countries = new Intl.DisplayNames("en", { type: "region", fallback: "code" });

  /**
   * Shows scans, which are in the order of their arrival, above those of before.
   * @param {HTMLElement} place
   * @param {ScanEvent[]} arrived
   */
  function show(place, arrived) {
    const list = place.querySelector("ol");
    if (list === null) return;
    /** @type {NodeListOf<HTMLElement>} */
    const items = list.querySelectorAll("li");
    const known = new Set([...items].map((item) => item.dataset.id));
    const scans = arrived.filter((scan) => !known.has(scan.id));
    const { shown, zone = "UTC", words = "" } = place.dataset;
    /** @type {import("../../analytics/labels.ts").ScanWords} */
    const { devices, locale, timeFormat } = JSON.parse(words);
    const times = new Intl.DateTimeFormat(locale, { ...timeFormat, timeZone: zone });
    const latest = scans.slice(-Number(shown)).reverse();
    list.prepend(...latest.map((scan) => itemOf(scan, devices, (time) => `${times.format(time)} (${zone})`)));
    while (list.children.length > Number(shown)) list.lastElementChild?.remove();
    count(place, scans.length);
  }

  /**
   * @param {ScanEvent} scan
   * @param {Readonly<Record<string, string>>} devices names by type
   * @param {(time: Date) => string} format
   */
  function itemOf(scan, devices, format) {
    const item = document.createElement("li");
    item.dataset.id = scan.id;
    const time = document.createElement("time");
    time.dateTime = scan.scannedAt;
    time.textContent = format(new Date(scan.scannedAt));
    const facts = document.createElement("span");
    const country = scan.country === null ? null : countries.of(scan.country);
    const device = scan.device === null ? null : (devices[scan.device] ?? scan.device);
    facts.textContent =
      [scan.city, country, scan.os, device].filter((part) => part !== null).join(", ") || "Unknown device";
    item.append(time, facts);
    return item;
  }

  watch();
  document.addEventListener("htmx:afterSettle", watch);
})();
