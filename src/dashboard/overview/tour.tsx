import { Hono } from "hono";
import { plainDocument } from "../../ui/document.tsx";
import type { DashboardEnv } from "../frame/env.ts";

/** The address of the tour, which shows the example company where nobody can open it. */
export const tourPath = "/dashboard/tour";

const views = [
  {
    picture: "overview.png",
    title: "Overview",
    text: "Who scans, when and where, in a sentence and by day, country and device. Bots are counted apart.",
  },
  {
    picture: "codes.png",
    title: "Codes",
    text: "Every code with its image, where it leads and how often it is scanned. Select some to change, print or download them together.",
  },
  {
    picture: "code.png",
    title: "A code",
    text: "Type another destination and press Enter: printed copies follow within a second. Below are the last scans, and what changed.",
  },
  {
    picture: "page-editor.png",
    title: "A page",
    text: "Text, links, images and a form, for codes without a website behind them. The answers arrive in the dashboard.",
  },
] as const;

/** A tour of the example company in pictures, for anyone. Nothing on it can be changed. */
export function tourRoutes(): Hono<DashboardEnv> {
  const app = new Hono<DashboardEnv>();

  app.get("/tour", async (c) => {
    const { tourPictures } = await import("./tour-pictures.ts");
    const paths = await tourPictures.paths(`${tourPath}/pictures`);
    const page = (
      <div class="tour">
        <h1>A tour of Harbour Coffee</h1>
        <p>
          Harbour Coffee is an invented company with cafés in Lisbon. Its codes are on tables, bags, posters
          and receipts. These are pictures; your own workspace begins empty.
        </p>
        {views.map(({ picture, title, text }) => (
          <section>
            <h2 class="lead">{title}</h2>
            <p class="quiet">{text}</p>
            <img
              src={paths[picture]}
              width="1440"
              height="900"
              alt={`${title} of Harbour Coffee`}
              loading="lazy"
            />
          </section>
        ))}
        <p>
          <a class="button primary" href="/dashboard">
            Go to the dashboard
          </a>
        </p>
      </div>
    );
    return c.html(await plainDocument(c.env.base, "A tour of Harbour Coffee", page));
  });

  app.get("/tour/pictures/:file", async (c) => {
    const { tourPictures } = await import("./tour-pictures.ts");
    return (await tourPictures.answer(c.req.path)) ?? c.notFound();
  });
  return app;
}
