// Copies the text that a button names. The clipboard requires https, so elsewhere the button stays hidden.

for (const button of navigator.clipboard ? document.querySelectorAll("button[data-copy]") : []) {
  button.removeAttribute("hidden");
  button.addEventListener("click", async () => {
    const text = document.getElementById(button.getAttribute("data-copy") ?? "")?.textContent ?? "";
    await navigator.clipboard.writeText(text.trim());
    button.textContent = "Copied";
  });
}
