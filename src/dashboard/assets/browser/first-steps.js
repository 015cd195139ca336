// The first steps are requested again when an image is downloaded, which leaves the page as it is.

document.addEventListener("click", ({ target }) => {
  const link = target instanceof Element ? target.closest("[data-downloaded]") : null;
  const renewal = link?.closest("#first-steps")?.querySelector("[data-renewal='downloaded']");
  // Afterwards, so that the browser follows the link first.
  setTimeout(() => renewal?.dispatchEvent(new Event("downloaded")));
});
