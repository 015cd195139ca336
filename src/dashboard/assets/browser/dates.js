// The controls of a report: a calendar for the two fields of a date range, and the print button.

(() => {
  document.addEventListener("click", (event) => {
    if (event.target instanceof Element && event.target.closest("[data-print]") !== null) print();
  });
  // The popover's event doesn't bubble.
  document.addEventListener(
    "toggle",
    (event) => {
      const { target } = event;
      if (!(target instanceof HTMLDetailsElement) || !target.open) return;
      const form = target.querySelector("form[data-calendar]");
      if (!(form instanceof HTMLFormElement) || form.querySelector(".calendar") !== null) return;
      /** @type {NodeListOf<HTMLInputElement>} */
      const [first, last] = form.querySelectorAll('input[type="date"]');
      if (first && last) addCalendar(form, first, last);
    },
    true,
  );

  const dayLength = 86_400_000;
  /** @param {number} time */
  const dayOf = (time) => new Date(time).toISOString().slice(0, 10);
  /** @param {string} day @param {number} days */
  const later = (day, days) => dayOf(Date.parse(day) + days * dayLength);
  /** @param {string} day @param {number} months */
  function laterMonth(day, months) {
    const date = new Date(day);
    const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 0));
    last.setUTCDate(Math.min(last.getUTCDate(), date.getUTCDate()));
    return dayOf(last.getTime());
  }
  /** Returns the distance from the week's Monday. @param {string} day */
  const weekday = (day) => (new Date(day).getUTCDay() + 6) % 7;
  const monthName = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });
  const dayName = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeZone: "UTC" });

  /** @param {HTMLFormElement} form @param {HTMLInputElement} first @param {HTMLInputElement} last */
  function addCalendar(form, first, last) {
    const today = form.dataset.today ?? dayOf(Date.now());
    const calendar = document.createElement("div");
    calendar.className = "calendar";
    form.querySelector(".pair")?.after(calendar);
    /** The day reached with the arrow keys. Its month is shown. */
    let current = last.value && last.value <= today ? last.value : today;
    /** Whether the next selected day is the range's last. */
    let isSecond = false;

    function render(takesFocus = false) {
      const month = current.slice(0, 7);
      const begin = later(`${month}-01`, -weekday(`${month}-01`));
      const head = document.createElement("div");
      head.className = "calendar-head";
      const title = document.createElement("span");
      title.textContent = monthName.format(new Date(current));
      title.setAttribute("aria-live", "polite");
      head.append(turn("‹", "Previous month", -1), title, turn("›", "Next month", 1));
      const table = document.createElement("table");
      const names = table.createTHead().insertRow();
      for (const name of ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]) {
        const cell = document.createElement("th");
        cell.scope = "col";
        cell.textContent = name;
        names.append(cell);
      }
      const body = table.createTBody();
      for (let week = 0; week < 6; week += 1) {
        const row = body.insertRow();
        for (let day = 0; day < 7; day += 1)
          row.insertCell().append(button(later(begin, week * 7 + day), month));
      }
      calendar.replaceChildren(head, table);
      if (takesFocus) /** @type {HTMLElement | null} */ (calendar.querySelector('[tabindex="0"]'))?.focus();
    }

    /** @param {string} text @param {string} label @param {number} months */
    function turn(text, label, months) {
      const element = document.createElement("button");
      element.type = "button";
      element.textContent = text;
      element.setAttribute("aria-label", label);
      element.addEventListener("click", () => {
        move(laterMonth(current, months), false);
        /** @type {HTMLElement | null} */ (calendar.querySelector(`[aria-label="${label}"]`))?.focus();
      });
      return element;
    }

    /** @param {string} day @param {string} month */
    function button(day, month) {
      const element = document.createElement("button");
      element.type = "button";
      element.textContent = String(Number(day.slice(8)));
      element.dataset.day = day;
      element.tabIndex = day === current ? 0 : -1;
      element.disabled = day > today;
      element.setAttribute("aria-label", dayName.format(new Date(day)));
      const isEnd = day === first.value || day === last.value;
      element.setAttribute("aria-pressed", String(isEnd));
      if (!day.startsWith(month)) element.className = "outside";
      if (day > first.value && day < last.value) element.classList.add("between");
      element.addEventListener("click", () => choose(day));
      return element;
    }

    /** @param {string} day @param {boolean} takesFocus */
    function move(day, takesFocus) {
      current = day > today ? today : day;
      render(takesFocus);
    }

    /** @param {string} day */
    function choose(day) {
      if (isSecond) {
        if (day < first.value) first.value = day;
        else last.value = day;
        form.requestSubmit();
        return;
      }
      first.value = day;
      last.value = day;
      isSecond = true;
      move(day, true);
    }

    // The clicked button is redrawn, so menus would take the click for one outside and close.
    calendar.addEventListener("click", (event) => event.stopPropagation());
    calendar.addEventListener("keydown", (event) => {
      if (!(event.target instanceof HTMLElement) || event.target.dataset.day === undefined) return;
      const day = event.target.dataset.day;
      const moves = {
        ArrowLeft: () => later(day, -1),
        ArrowRight: () => later(day, 1),
        ArrowUp: () => later(day, -7),
        ArrowDown: () => later(day, 7),
        Home: () => later(day, -weekday(day)),
        End: () => later(day, 6 - weekday(day)),
        PageUp: () => laterMonth(day, -1),
        PageDown: () => laterMonth(day, 1),
      };
      if (!Object.hasOwn(moves, event.key)) return;
      event.preventDefault();
      event.stopPropagation();
      move(moves[/** @type {keyof typeof moves} */ (event.key)](), true);
    });
    render();
  }
})();
