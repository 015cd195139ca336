import { expect, it } from "vitest";
import { chineseScript, withScript } from "../../../src/lib/text/chinese.ts";
import { preferredLanguage } from "../../../src/lib/web/accept-language.ts";
import { languages } from "../../../src/ui/visitors/texts/catalogue.ts";

it.each([
  ["zh", undefined, "zh-Hans"],
  ["zh-CN", "Hans", "zh-Hans-CN"],
  ["zh-SG", "Hans", "zh-Hans-SG"],
  ["zh-Hans", "Hans", "zh-Hans"],
  ["zh-TW", "Hant", "zh-Hant-TW"],
  ["zh-HK", "Hant", "zh-Hant-HK"],
  ["zh-MO", "Hant", "zh-Hant-MO"],
  ["zh-Hant", "Hant", "zh-Hant"],
  ["zh-Hant-CN", "Hant", "zh-Hant-CN"],
  ["zh-Hans-HK", "Hans", "zh-Hans-HK"],
  ["ZH-tw", "Hant", "ZH-Hant-tw"],
  ["zh_TW", "Hant", "zh_TW"],
  ["zh-yue-HK", "Hant", "zh-yue-HK"],
  ["zh-CN-x-hant", "Hans", "zh-Hans-CN-x-hant"],
  ["zh-TW-u-ca-roc", "Hant", "zh-Hant-TW-u-ca-roc"],
  ["zha-TW", undefined, "zha-TW"],
  ["en-TW", undefined, "en-TW"],
  ["", undefined, ""],
])("knows the script of %j", (tag, script, said) => {
  expect([chineseScript(tag), withScript(tag)]).toEqual([script, said]);
});

it.each([
  // As browsers and phones send it.
  ["zh-TW,zh;q=0.9,en-US;q=0.8,en;q=0.7", "zh-Hant"],
  ["zh-HK,zh-Hant;q=0.9,en;q=0.8", "zh-Hant"],
  ["zh-Hant-TW", "zh-Hant"],
  ["zh-MO", "zh-Hant"],
  ["zh-CN,zh;q=0.9,en;q=0.8", "zh"],
  ["zh-Hans-SG", "zh"],
  ["zh", "zh"],
  ["zh_TW", "zh-Hant"],
  ["zh_TW_#Hant", "zh-Hant"],
  // By weight, not by order.
  ["zh-CN;q=0.5, zh-TW;q=0.9", "zh-Hant"],
  ["zh-TW;q=0.5, zh-CN;q=0.9", "zh"],
  ["en;q=0.4, zh-HK", "zh-Hant"],
  ["en, zh-HK;q=0.4", "en"],
  ["sv, zh-TW;q=0.1", "zh-Hant"],
  // Without a script, the one that is named elsewhere.
  ["zh, zh-TW;q=0.9", "zh-Hant"],
  ["zh;q=0.9, en;q=0.5, zh-Hant;q=0.1", "zh-Hant"],
  // Refused by a weight of 0.
  ["zh, zh-TW;q=0", "zh"],
  ["zh, zh-CN;q=0", "zh-Hant"],
  ["zh;q=0, zh-TW", "zh-Hant"],
  ["zh-TW;q=0, de;q=0.1", "de"],
  ["zh-TW;q=0", undefined],
  ["fr;q=0, de", "de"],
  ["pt-BR, zh-TW;q=0.9", "pt"],
  ["zha, *", undefined],
  [null, undefined],
])("of %j, prefers %j", (header, language) => {
  expect(preferredLanguage(header, languages)).toBe(language);
});
