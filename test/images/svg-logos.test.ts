import { beforeAll, describe, expect, it } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import { readSvg } from "../../src/images/svg/read-svg.ts";
import { dataUri, join, svg, svgBytes } from "../support/images/logos.ts";
import { Service, type SessionClient } from "../support/service.ts";

const service = new Service();
const path = "/developer/templates";
let session: SessionClient;

beforeAll(async () => {
  session = await service.session();
});

describe("an SVG", () => {
  const refused: [string, Uint8Array, RegExp][] = [
    ["of nothing", svgBytes(""), /well-formed/],
    ["of text", svgBytes("hello"), /well-formed/],
    ["in HTML", svgBytes('<html><svg xmlns="http://www.w3.org/2000/svg"/></html>'), /root/],
    ["without its namespace", svgBytes('<svg viewBox="0 0 1 1"/>'), /root/],
    [
      "that is not closed",
      svgBytes('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><g>'),
      /well-formed/,
    ],
    ["with what is closed elsewhere", svg("<g><a></g></a>"), /well-formed/],
    ["with an attribute twice", svg('<g id="a" id="b"/>'), /well-formed/],
    ["without quotes", svg("<g id=a/>"), /well-formed/],
    ["with an entity of its own", svg("<text>&logo;</text>"), /well-formed/],
    ["with two roots", join(svg(""), svg("")), /well-formed/],
    ["that is not UTF-8", join(svg("").slice(0, -6), [0xff], svg("").slice(-6)), /UTF-8/],
    ["in UTF-16", new Uint8Array([0xff, 0xfe, 0x3c, 0]), /UTF-8/],
    ["by another name", svgBytes('<nosvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'), /root/],
    [
      "by an unknown prefix",
      svgBytes('<s:svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'),
      /root/,
    ],
    ["without a size", svg("", ""), /have a size/],
    ["with half a size", svg("", 'width="10"'), /have a size/],
    ["with a size of percents", svg("", 'width="100%" height="100%"'), /have a size/],
    ["without area", svg("", 'viewBox="0 0 0 10"'), /have a size/],
    ["with a viewBox of words", svg("", 'viewBox="0 0 wide high"'), /have a size/],
    ["with a size beyond numbers", svg("", 'width="1e999" height="1"'), /have a size/],
    ["with an element of its own", join(svgBytes("<!DOCTYPE svg [<!ELEMENT a ANY>]>"), svg("")), /DOCTYPE/],
    ["with two DOCTYPEs", join(svgBytes("<!DOCTYPE svg><!DOCTYPE svg>"), svg("")), /well-formed/],
    [
      "with entities in entities",
      join(svgBytes('<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'), svg("<text>&b;</text>")),
      /well-formed/,
    ],
    [
      "with a stylesheet from outside",
      join(svgBytes('<?xml-stylesheet href="https://e.example/a.css"?>'), svg("")),
      /instructions/,
    ],
    ["with a script", svg("<script>alert(1)</script>"), /can't contain (the attribute )?<script>/],
    ["with a script in capitals", svg("<SCRIPT/>"), /can't contain (the attribute )?<SCRIPT>/],
    [
      "with a script by another prefix",
      svg('<s:script xmlns:s="http://www.w3.org/2000/svg"/>'),
      /can't contain (the attribute )?<s:script>/,
    ],
    ["with HTML", svg("<foreignObject/>"), /can't contain (the attribute )?<foreignObject>/],
    [
      "with HTML's own namespace",
      svg('<b xmlns="http://www.w3.org/1999/xhtml"/>'),
      /can't contain (the attribute )?HTML/,
    ],
    [
      "that moves",
      svg('<a href="#a"><set attributeName="href" to="javascript:alert(1)"/></a>'),
      /can't contain (the attribute )?<set>/,
    ],
    ["that moves along", svg("<animate/>"), /can't contain (the attribute )?<animate>/],
    ["with a handler", svg('<g onload="alert(1)"/>'), /can't contain (the attribute )?onload/],
    ["with a handler in capitals", svg('<g ONCLICK="alert(1)"/>'), /can't contain (the attribute )?ONCLICK/],
    [
      "with a handler on its root",
      svg("", 'viewBox="0 0 1 1" onload="x"'),
      /can't contain (the attribute )?onload/,
    ],
    ["with an image from outside", svg('<image href="https://e.example/a.png"/>'), /load anything.*href/],
    [
      "with an image from a neighbour",
      svg('<image xlink:href="a.png" xmlns:xlink="x"/>'),
      /load anything.*xlink:href/,
    ],
    ["with an image in disguise", svg('<image href="&#x68;ttps://e.example/a.png"/>'), /load anything/],
    ["with a link", svg('<a href="javascript:alert(1)"/>'), /load anything/],
    ["with an SVG in it", svg('<image href="data:image/svg+xml;base64,PHN2Zy8+"/>'), /load anything/],
    ["with a page in it", svg('<image href="data:text/html;base64,PHN2Zy8+"/>'), /load anything/],
    ["with parts from outside", svg('<use href="other.svg#a"/>'), /load anything/],
    ["with another base", svg('<g xml:base="https://e.example/"/>'), /xml:base/],
    ["filled from outside", svg('<rect fill="url(https://e.example/a.svg#b)"/>'), /load anything.*fill/],
    [
      "filled from outside in quotes",
      svg(`<rect style="fill: URL( 'https://e.example/')"/>`),
      /load anything.*style/,
    ],
    ["styled from outside", svg('<style>@import "https://e.example/a.css";</style>'), /load anything.*style/],
    [
      "styled from outside in CDATA",
      svg("<style><![CDATA[a{fill:url(//e.example)}]]></style>"),
      /load anything/,
    ],
    ["styled by an escape", svg("<style>@\\69mport 'https://e.example/'</style>"), /load anything/],
    ["styled by another escape", svg('<g style="fill:u\\72l(https://e.example/)"/>'), /load anything/],
    [
      "with a font from outside",
      svg("<style>@font-face{src:url(https://e.example/f.woff)}</style>"),
      /load anything/,
    ],
    ["with a set of images", svg(`<g style="mask:image-set('https://e.example/' 1x)"/>`), /load anything/],
    ["that contains itself", svg('<g id="a"><use href="#a"/></g>'), /contains itself/],
    [
      "that contains itself by a detour",
      svg('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'),
      /itself/,
    ],
    [
      "of patterns in patterns that go round",
      svg('<pattern id="a"><rect fill="url(#a)"/></pattern><rect width="9" height="9" fill="url(#a)"/>'),
      /painted with a <pattern>. Use colors and gradients./,
    ],
    [
      "that a few lines draw a billion times",
      svg(
        `<g id="n0"><path d="M0 0"/></g>${Array.from(
          { length: 9 },
          (_, i) => `<g id="n${i + 1}">${`<use href="#n${i}"/>`.repeat(10)}</g>`,
        ).join("")}`,
      ),
      /at most 5000 elements/,
    ],
    [
      "that hides what it draws behind an id given twice",
      svg(`<g id="a">${"<g/>".repeat(999)}</g><g id="a"/>${'<use href="#a"/>'.repeat(20)}`),
      /at most 5000 elements/,
    ],
    ["of too many elements", svg("<g/>".repeat(5001)), /at most 5000 elements/],
    [
      "of filters",
      svg(
        `<filter id="f"><feGaussianBlur stdDeviation="9"/></filter>${'<rect filter="url(#f)"/>'.repeat(200)}`,
      ),
      /has a filter, such as a shadow or a blur. Export it without effects./,
    ],
    [
      "of layers by a style sheet",
      svg(
        `<style>* { opacity: .5 }</style>${'<g><path d="M0 0h9v9z"/>'.repeat(9)}<path d="M0 0h9v9z"/>${"</g>".repeat(9)}`,
      ),
      /takes too long to draw/,
    ],
    [
      "with a filter of many octaves",
      svg('<filter id="f"><feTurbulence numOctaves="99999"/></filter>'),
      /can't contain (the attribute )?<feTurbulence>/,
    ],
    [
      "with a wide filter",
      svg('<filter id="f"><feMorphology radius="9999"/></filter>'),
      /can't contain (the attribute )?<feMorphology>/,
    ],
    ["with digits without end", svg("", `viewBox="${"1".repeat(200_000)}"`), /have a size/],
    [
      "with an address of blanks",
      svg(`<use href="#${" ".repeat(200_000)}x"/><script/>`),
      /can't contain (the attribute )?<script>/,
    ],
    ["with a name without end", svg(`<g ${"a".repeat(200_000)}/>`), /well-formed/],
    ["too deep", svg(`${"<g>".repeat(5000)}${"</g>".repeat(5000)}`), /at most 100 levels of elements/],
    [
      "of a long chain",
      svg(Array.from({ length: 4000 }, (_, i) => `<use id="n${i}" href="#n${i + 1}"/>`).join("")),
      /at most 5000 elements/,
    ],
  ];
  // That such a problem refuses the request, and nothing is stored, is in `logo-refused.test.ts`.
  it.each(refused)("%s is refused", async (_, bytes, words) => {
    expect(await readSvg(bytes, limits.logo.bytes)).toEqual({ problem: expect.stringMatching(words) });
  });

  const taken: [string, Uint8Array][] = [
    [
      "as Illustrator writes it",
      join(
        svgBytes(
          '\ufeff<?xml version="1.0" encoding="utf-8"?>\n<!-- Generator: Adobe Illustrator -->\n' +
            '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">\n',
        ),
        svgBytes(
          `<svg version="1.1" id="Layer_1" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" x="0px" y="0px"
 viewBox="0 0 100.5 40" style="enable-background:new 0 0 100.5 40;" xml:space="preserve">
<style type="text/css"><![CDATA[.st0{clip-path:url(#SVGID_2_);fill:#E30613;}]]></style>
<g><defs><rect id="SVGID_1_" width="100" height="40"/></defs>
<clipPath id="SVGID_2_"><use xlink:href="#SVGID_1_" style="overflow:visible;"/></clipPath>
<path class="st0" d="M1,1h9v9z"/></g></svg>\n`,
        ),
      ),
    ],
    [
      "as Inkscape writes it",
      svg(
        `<sodipodi:namedview inkscape:window-width="1"/><metadata><rdf:RDF><cc:Work rdf:about=""><dc:type rdf:resource="http://purl.org/dc/dcmitype/StillImage"/></cc:Work></rdf:RDF></metadata>
<g inkscape:label="image(1) &amp; more" inkscape:export-filename="C:\\logos\\a(1).png" style="fill:url('#g')"><path d="m0 0"/></g><linearGradient id="g"/>`,
        `width="210mm" height="297mm" viewBox="0 0 210 297" xmlns:sodipodi="s" xmlns:inkscape="i" xmlns:rdf="r" xmlns:cc="c" xmlns:dc="d"`,
      ),
    ],
    [
      "by a prefix",
      svgBytes(
        '<svg:svg xmlns:svg="http://www.w3.org/2000/svg" width="3cm" height=".5in"><svg:g/></svg:svg>',
      ),
    ],
    ["of 1000 shapes", svg('<path d="M0 0h1v1z" fill="red"/>'.repeat(1000))],
  ];
  it.each(taken)("%s is taken", async (_, bytes) => {
    const response = await session.send("POST", path, {
      name: "Logo",
      logo: dataUri(bytes, "image/svg+xml"),
    });
    expect([response.status, await response.json()]).toMatchObject([201, { logo: { bytes: bytes.length } }]);
  });
});
