import { button, type Case, edit, filled } from "./forms.ts";

/** The forms of domains, and of codes' addresses at them. */
export const domainForms: Readonly<Record<string, Case>> = {
  "/codes/:id/aliases": {
    expected: ["code.updated"],
    form: async (w) => {
      const { host } = await w.domain();
      return { path: `/codes/${(await w.code()).id}/aliases`, fields: { alias: `${host}/menu` } };
    },
  },

  "/domains/new": {
    expected: ["domain.created"],
    found: ["domain.updated"],
    form: (w) => filled(w, "/domains/new", { host: "new.localhost" }),
  },
  "/domains/:id/check": {
    expected: { none: "Only a new status is a change" },
    form: button("/domains", (w) => w.domain(), "check"),
  },
  "/domains/:id/edit": {
    expected: ["domain.updated"],
    form: edit("/domains", (w) => w.domain(), "edit", { name: "Harbour" }),
  },
  "/domains/:id/remove": {
    expected: ["domain.deleted"],
    form: button("/domains", (w) => w.domain(), "remove"),
  },
  "/domains/:id/restore": {
    expected: ["domain.restored"],
    form: button(
      "/domains",
      async (w) => w.deleted(w.owner, "/developer/domains", await w.domain()),
      "restore",
    ),
  },
};
