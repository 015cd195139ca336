// Live scans, on pages with an element whose `data-live` is the address of their stream.

(() => {
  /** @typedef {import("../../../contract/resources/scans/scans.ts").ScanEvent} ScanEvent */

  /** @type {EventSource | null} */
  let source = null;
  /** @type {Element | null} */
  let watched = null;

  /** How long scans are collected before they are shown together. Milliseconds. */
  const gathering = 200;

  function watch() {
    /** @type {HTMLElement | null} */
    const place = document.querySelector("[data-live]");
    if (place === watched) return;
    source?.close();
    watched = place;
    source = null;
    renewed = 0;
    if (place !== null) connect(place, place.dataset.live ?? "");
  }

  /**
   * @param {HTMLElement} place
   * @param {string} address
   */
  function connect(place, address) {
    const waiting = place.querySelector("[data-waiting]");
    /** @type {ScanEvent[]} */
    const arrived = [];
    const stream = new EventSource(address);
    source = stream;
    stream.addEventListener("ready", () => {
      if (waiting !== null) waiting.textContent = "Waiting for scans: each shows up here within two seconds.";
    });
    stream.addEventListener("scan", (event) => {
      // A reopened connection resumes after the last scan.
      if (event.lastEventId)
        place.dataset.live = address.replace(/after=[^&]*/, `after=${event.lastEventId}`);
      if (arrived.length === 0) setTimeout(() => show(place, arrived.splice(0)), gathering);
      arrived.push(JSON.parse(event.data));
    });
    stream.addEventListener("skipped", (event) => {
      count(place, JSON.parse(event.data).scans);
      renew();
    });
  }

  // A hidden page holds no connection, because browsers allow few of them.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      source?.close();
      watched = null;
    } else watch();
  });

  /** When the page's report was last requested, and the timer for the next request. */
  let renewed = 0;
  let timer = 0;
  /** How often the report is requested while scans arrive. Milliseconds. */
  const pause = 10_000;

  /** Requests the report again: immediately after the first scan, but not while a person points at it. */
  function renew() {
    const report = document.querySelector("#report");
    const renewal = document.querySelector("[data-renewal]");
    if (renewal === null) return;
    clearTimeout(timer);
    const wait = renewed + pause - Date.now();
    const isRead = report?.matches(":hover, :focus-within") && !report.querySelector(".empty");
    if (wait > 0 || isRead) {
      timer = setTimeout(renew, Math.max(wait, 1000));
      return;
    }
    renewed = Date.now();
    renewal.dispatchEvent(new Event("scanned"));
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
   * Shows scans, in order of arrival, above earlier ones.
   * @param {HTMLElement} place
   * @param {ScanEvent[]} arrived
   */
  function show(place, arrived) {
    const last = document.querySelector("[data-last-scan]");
    if (last !== null) {
      last.textContent = "Just now";
      place.querySelector("[data-live-mark]")?.removeAttribute("hidden");
    }
    renew();
    const list = place.querySelector(".live-scans");
    if (list === null) return;
    /** @type {NodeListOf<HTMLElement>} */
    const items = list.querySelectorAll("li");
    const known = new Set([...items].map((item) => item.dataset.id));
    const scans = arrived.filter((scan) => !known.has(scan.id));
    const { shown, zone = "UTC", words = "" } = place.dataset;
    /** @type {import("../../../ui/report/labels.ts").ScanWords} */
    const { devices, locale, timeFormat } = JSON.parse(words);
    const times = new Intl.DateTimeFormat(locale, { ...timeFormat, timeZone: zone });
    const latest = scans.slice(-Number(shown)).reverse();
    list.prepend(...latest.map((scan) => itemOf(scan, devices, times)));
    while (list.children.length > Number(shown)) list.lastElementChild?.remove();
    count(place, scans.length);
  }

  /**
   * @param {ScanEvent} scan
   * @param {Readonly<Record<string, string>>} devices names by type
   * @param {Intl.DateTimeFormat} times
   */
  function itemOf(scan, devices, times) {
    const item = document.createElement("li");
    item.className = "new";
    item.dataset.id = scan.id;
    const time = document.createElement("time");
    time.dateTime = scan.scannedAt;
    time.textContent = times.format(new Date(scan.scannedAt));
    const facts = document.createElement("span");
    const country = scan.country && countries.of(scan.country);
    const device = scan.device && (devices[scan.device] ?? scan.device);
    const known = [scan.city, country, scan.os, device].filter(Boolean).join(", ");
    facts.textContent = (known || "Unknown device") + (scan.via ? `, by ${scan.via}` : "");
    item.append(time, facts);
    return item;
  }

  watch();
  document.addEventListener("htmx:afterSettle", watch);
})();
