import { Hono } from "hono/tiny";
import { finderCentre, finderRing } from "../lib/web/service-style.ts";

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="#fff"/>' +
  `<path fill="#14161b" fill-rule="evenodd" d="${finderRing}"/><path fill="#e8431b" d="${finderCentre}"/></svg>`;

/** The icon, 32 pixels wide, for browsers that request this file without reading a page. */
const ico =
  "AAABAAEAICAAAAEAIACNAgAAFgAAAIlQTkcNChoKAAAADUlIRFIAAAAgAAAAIAgGAAAAc3p69AAAAlRJREFUeJztlzFoE1EYx/836CIYFcSlCR" +
  "GcTCQVEUy6FB2iU6OQWjdBrS5t0rpa25o4qpd2UREcrQ1onLSTXZoIIlww5yAFS+IighLBRYfz/72WJtdGAr07YyE/ePe+9wi83733cnyfhg1Y" +
  "lhUEkGJLsAXhDgbbIoCcpmkraEJjU3DhPewm2dLvKyZKxTeomCaqtRqntk7A70c4FEI0dgJHwiHOQKfEGHuFElhb/HW9Xu+duDmNJ3PzHLrPha" +
  "FBZG5NwufzGZQ4yql1gcdc/GLi3CAqfHsvCXMXCs/mRUKOI61x8X7w7UdGxzD3NM/Qe4bOJzE7c48RDopAgWc+cPJUnON/x7u3JQQC/pwIWA8e" +
  "PsKNiSk0E4tFMZu7Kz/iaOtUqzWMpMZRLJY4apDNTOHq8GVDCbTa/jVDRs4RiWPHo4waDF+5hNvZaSiBgbPJTYZfv3zm0z32H+jhs4Hs8Ivn+W" +
  "0m8HvZhPXzB6O/o+3ajR2HQozsOBaQxb9dizNqz777C5skHAv8Kpfw/XqSUXv23sljZ8R+6boCXYGuwPYX6PiHSBCJjn2KnfJ/C7RKSJY/mpI4" +
  "MnJOu4TEYEoW2ZiS9fVFMaO7k5KNpsextGTf4WxGpWRlEdCZlKY6mZQGAXxqdQxeYUvL+ZDCRGdhkkrwMlbMD5zxjnDoMAq8fLxfq4UJ5xSUMC" +
  "ih7oJXOyFvLmfPxctcvJdTWBcQKKGzS8nFeflqQZVp1Zqzv2PA36PKsTOn43LmnFEVcpq9wiYgUCIIVshs/QAibG5QZlvEamW8gib+AJDj8NXa" +
  "8IBhAAAAAElFTkSuQmCC";

/** Serves the site's icon, which browsers show in tabs. */
export function createIcons(): Hono {
  const app = new Hono();
  const headers = { "cache-control": "public, max-age=604800", "x-content-type-options": "nosniff" };
  app.get("/favicon.svg", (c) => c.body(svg, 200, { ...headers, "content-type": "image/svg+xml" }));
  app.get("/favicon.ico", (c) =>
    c.body(Uint8Array.fromBase64(ico).buffer, 200, { ...headers, "content-type": "image/x-icon" }),
  );
  return app;
}
