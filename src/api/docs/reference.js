// Enhances the API reference, which is complete without it: copies samples, filters the contents, and marks the current
// section.

const contents = /** @type {HTMLElement} */ (document.getElementById("contents"));
const spoken = /** @type {HTMLElement} */ (document.getElementById("status"));

for (const button of document.querySelectorAll("button.copy")) {
  if (!(button instanceof HTMLButtonElement)) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const code = button.closest(".sample")?.querySelector("pre")?.textContent ?? "";
    const text = await navigator.clipboard.writeText(code).then(
      () => "Copied",
      () => "Copy it by hand",
    );
    button.textContent = text;
    spoken.textContent = text;
    setTimeout(() => {
      button.textContent = "Copy";
      spoken.textContent = "";
    }, 2000);
  });
}

/** Opens the collapsed section that the URL refers to. Follows the link to one that is on another page now. */
function unfold() {
  const section = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const elsewhere = section?.closest("#contents") ? section.querySelector("a") : null;
  if (elsewhere) location.replace(elsewhere.href);
  const fold = section?.querySelector("details.fold");
  if (fold instanceof HTMLDetailsElement) fold.open = true;
}
addEventListener("hashchange", unfold);
unfold();

const filter = /** @type {HTMLInputElement} */ (document.getElementById("filter"));
const nothing = /** @type {HTMLElement} */ (document.getElementById("nothing"));

/** Shows the entries that contain every word of the filter, and the groups that have such entries. */
function applyFilter() {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const group of contents.querySelectorAll(".group")) {
    let inGroup = 0;
    for (const entry of group.querySelectorAll("li")) {
      const text = `${group.firstElementChild?.textContent} ${entry.textContent}`.toLowerCase();
      entry.hidden = !words.every((word) => text.includes(word));
      if (!entry.hidden) inGroup += 1;
    }
    /** @type {HTMLElement} */ (group).hidden = inGroup === 0;
    shown += inGroup;
  }
  nothing.hidden = shown > 0;
  spoken.textContent = words.length === 0 ? "" : `${shown} ${shown === 1 ? "result" : "results"}`;
}

/** @type {HTMLElement} */ (filter.parentElement).hidden = false;
filter.addEventListener("input", applyFilter);
filter.addEventListener("keydown", ({ key }) => {
  if (key === "Enter")
    /** @type {HTMLElement | null} */ (contents.querySelector("li:not([hidden]) a"))?.click();
  if (key === "Escape") {
    filter.value = "";
    applyFilter();
  }
});
addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target instanceof HTMLInputElement) return;
  event.preventDefault();
  filter.focus();
});

// The contents scroll separately only when they are beside the text.
const group = contents.querySelector("h2 [aria-current]");
if (group) contents.scrollTop = group.getBoundingClientRect().top - contents.getBoundingClientRect().top - 96;

/** The links to sections of this page. @type {NodeListOf<HTMLAnchorElement>} */
const own = contents.querySelectorAll(`li a[href^="${location.pathname}#"]`);
const links = new Map(Array.from(own, (link) => [link.hash.slice(1), link]));
/** The ids of sections in the upper quarter of the window. @type {Set<string>} */
const inView = new Set();
/** @type {Element | undefined} */
let current;

const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) inView.add(target.id);
      else inView.delete(target.id);
    }
    const [first] = [...links.keys()].filter((id) => inView.has(id));
    if (first !== undefined) mark(links.get(first));
  },
  { rootMargin: "-48px 0px -75% 0px" },
);
for (const id of links.keys()) {
  const target = document.getElementById(id);
  if (target !== null) observer.observe(target);
}

/** @param {Element | undefined} link of the current section */
function mark(link) {
  if (link === undefined || link === current) return;
  current?.removeAttribute("aria-current");
  link.setAttribute("aria-current", "true");
  current = link;
  const box = link.getBoundingClientRect();
  const isHidden = box.top < 0 || box.bottom > contents.clientHeight;
  // The contents scroll separately only when they are beside the text.
  if (isHidden && contents.scrollHeight > contents.clientHeight) {
    contents.scrollTop += box.top - contents.clientHeight / 2;
  }
}
