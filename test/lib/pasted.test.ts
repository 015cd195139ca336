import { expect, it } from "vitest";
import { readMapLink, readPasted } from "../../src/lib/web/pasted.js";

it.each([
  ["https://www.google.com/maps/@52.516275,13.377704,17z", "52.516275", "13.377704"],
  [
    "https://www.google.com/maps/place/Brandenburg+Gate/@52.51,13.37,17z/data=!3m1!4b1!4m6!8m2!3d52.5162746!4d13.3777041",
    "52.5162746",
    "13.3777041",
    "Brandenburg Gate",
  ],
  ["https://maps.google.com/?q=-33.8568,151.2153", "-33.8568", "151.2153"],
  ["https://maps.google.co.uk/maps?ll=51.5,-0.12&z=12", "51.5", "-0.12"],
  ["https://www.google.com/maps/search/?api=1&query=47.5951518%2C-122.3316393", "47.5951518", "-122.3316393"],
  ["https://www.google.com/maps/search/38.71,+-9.14", "38.71", "-9.14"],
  ["maps.google.com/?q=loc:38.71,-9.14", "38.71", "-9.14"],
  ["https://maps.apple.com/?ll=50.894967,4.341626&q=Atomium", "50.894967", "4.341626", "Atomium"],
  [
    "https://maps.apple.com/place?coordinate=50.894967,4.341626&name=Atomium",
    "50.894967",
    "4.341626",
    "Atomium",
  ],
  ["https://www.openstreetmap.org/#map=17/48.20849/16.37208", "48.20849", "16.37208"],
  ["https://www.openstreetmap.org/?mlat=48.2085&mlon=16.3721#map=19/48/16", "48.2085", "16.3721"],
  ["52.5, 13.4", "52.5", "13.4"],
  [" -33.8568 151.2153 ", "-33.8568", "151.2153"],
  ["48,2082, 16,3738", "48.2082", "16.3738"],
  ["48,2082 16,3738", "48.2082", "16.3738"],
  ["48,2082; -16,3738", "48.2082", "-16.3738"],
  ["48,2082°, 16,3738°", "48.2082", "16.3738"],
  ["\u221233,8568 151,2153", "-33.8568", "151.2153"],
  ["\u202a48.2082, 16.3738\u202c", "48.2082", "16.3738"],
  ["geo:48.2010,16.3695,183;u=10", "48.2010", "16.3695"],
  ["geo:0,0?q=48.2010,16.3695(Karlskirche)", "48.2010", "16.3695", "Karlskirche"],
])("%s names a place", (link, latitude, longitude, label?: string) => {
  expect(readMapLink(link)).toEqual({ latitude, longitude, ...(label === undefined ? {} : { label }) });
});

it.each([
  "",
  "52.5",
  "52, 13",
  "1,2, 3,4",
  "48,2082",
  "48,2082,16,3738",
  "91,50 13,40",
  "91.5, 13.4",
  "Brandenburg Gate",
  "https://example.com/maps/@52.5,13.4,17z",
  "https://www.google.com/search?q=52.5,13.4",
  "https://maps.app.goo.gl/abc",
  "https://maps.google.com/?q=Berlin",
  "https://maps.google.com/?q=91,13.4",
  "https://www.google.com/maps/@52.5,181,17z",
  "geo:north,east",
  "https://google.com.evil.example/maps/@52.5,13.4,17z",
  "https://www.google.com/maps/%E0%A4%A",
  `https://www.google.com/maps/@${"1".repeat(5000)}`,
])("%s names none", (link) => {
  expect(readMapLink(link)).toBeNull();
});

it.each([
  ["harbour.example/menu", ["url"]],
  ["https://harbour.example", ["url"]],
  ["HTTP://192.168.1.10:8080/a?b=c@d.example", ["url"]],
  ["192.168.1.10", ["url"]],
  ["https://www.openstreetmap.org/#map=17/48.20849/16.37208", ["location", "url"]],
  ["geo:48.2010,16.3695", ["location"]],
  ["38.7071, -9.1455", ["location"]],
  ["+351 912 345 678", ["sms", "whatsapp"]],
  ["030/901820", ["sms", "whatsapp"]],
  ["(+49) 30 901820", ["sms", "whatsapp"]],
  ["48,2082 16,3738", ["location"]],
  ["ines@harbour.example", ["email"]],
  ["@harbourcoffee", ["telegram"]],
])("%s is the destination of %j", (text, types) => {
  expect(readPasted(` ${text}\n`)).toEqual({ types, text });
});

it.each([
  ["mailto:ines@harbour.example?subject=Visit", "email", "ines@harbour.example"],
  ["tel:+351912345678", "sms", "+351912345678"],
  ["SMS:+351912345678", "sms", "+351912345678"],
  ["\u202a+49 30 901820\u202c", "sms", "+49 30 901820"],
])("%s loses its scheme", (link, type, text) => {
  expect(readPasted(link)).toMatchObject({ types: expect.arrayContaining([type]), text });
});

it.each(["", "menu", "two words", "@me", "+12", "2024", "ines@", "javascript:alert(1)", "a@b@c.example"])(
  "%j is none yet",
  (text) => {
    expect(readPasted(text)).toBeNull();
  },
);
