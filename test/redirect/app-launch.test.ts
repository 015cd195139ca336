import { beforeAll, describe, expect, it } from "vitest";
import type { Qr } from "../../src/contract/resources/codes/qr.ts";
import { Shown } from "../support/hosted-pages.ts";
import { type Client, Service } from "../support/service.ts";

const service = new Service();
let client: Client;
let sms: Qr;
let mail: Qr;

beforeAll(async () => {
  client = await service.workspace();
  sms = await client.createQr({
    qrType: "sms",
    data: { type: "sms", phone: "+49 30 901820", message: "Hi" },
  });
  mail = await client.createQr({
    qrType: "email",
    data: { type: "email", to: "a@example.com", subject: "Qx", body: "Qy" },
  });
});

const open = async (qr: Qr, language?: string) =>
  Shown.of(await service.scan(qr.hash, language === undefined ? {} : { "accept-language": language }));

const wordsOf = (shown: Shown) => [
  shown.texts("h1")[0],
  shown.texts("a")[0],
  shown.texts("a")[1],
  shown.all("html")[0]?.attributes.lang,
  shown.all("html")[0]?.attributes.dir,
];

const english = ["Send a message", "Open messages", "Report this code", "en", undefined];

describe("a page that opens an app", () => {
  it("stays as it is on its way if it has an e-mail address, and only then", async () => {
    const cacheOf = async ({ hash }: Qr) => (await service.scan(hash)).headers.get("cache-control");
    expect([await cacheOf(mail), await cacheOf(sms)]).toEqual(["no-store, no-transform", "no-store"]);
  });

  it.each<[string | undefined, (string | undefined)[]]>([
    [
      "de-AT,de;q=0.9,en;q=0.8",
      ["Nachricht senden", "Nachrichten öffnen", "Diesen Code melden", "de", undefined],
    ],
    ["pt-BR", ["Enviar uma mensagem", "Abrir as mensagens", "Denunciar este código", "pt", undefined]],
    ["zh-Hant-TW;q=1.0", ["傳送訊息", "開啟訊息 App", "檢舉此 QR Code", "zh-Hant", undefined]],
    ["zh-CN,zh;q=0.9", ["发送短信", "打开短信应用", "举报此二维码", "zh-Hans", undefined]],
    ["ar", ["إرسال رسالة", "فتح الرسائل", "الإبلاغ عن هذا الرمز", "ar", "rtl"]],
    // The first of the languages that there are, by preference.
    ["sv, fi;q=0.9, ja;q=0.5, en;q=0.7", english],
    [
      "sv, ja;q=0.7, en;q=0.5",
      ["メッセージを送信", "メッセージアプリを開く", "このコードを報告", "ja", undefined],
    ],
    ["de;q=0, en", english],
    ["sv", english],
    ["*", english],
    ["", english],
    [";;q=,,=-;q=x", english],
    [undefined, english],
  ])("is in the scanner's language: %s", async (header, words) => {
    expect(wordsOf(await open(sms, header))).toEqual(words);
  });

  it("has all of its words in that language", async () => {
    const shown = await open(mail, "fr");
    const tags = ["title", "h1", "dt", "dd", "blockquote", "p"];
    expect(tags.flatMap((tag) => shown.texts(tag))).toEqual([
      "Écrire un e-mail",
      "Écrire un e-mail",
      "À",
      "Objet",
      "a@example.com",
      "Qx",
      "Qy",
      "Ouvrir l’application d’e-mail",
      "Signaler ce code",
    ]);
  });

  it("is stored by no cache, so that it reaches nobody with another language", async () => {
    const response = await service.scan(sms.hash, { "accept-language": "de" });
    expect(response.headers.get("cache-control")).toBe("no-store");
  });
});
