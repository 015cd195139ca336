import { isbot } from "isbot";
import { describe, expect, it } from "vitest";
import { agentRuleOf, botRules, peoplesWords } from "../../../src/lib/text/bot-rules.ts";
import { peoplesAgents, programsAgents } from "../../support/scans/reported-agents.ts";

describe("a user agent", () => {
  it.each(peoplesAgents)("of %s is a person's, though isbot sees a bot: %s", (_, agent) => {
    expect([isbot(agent), agentRuleOf(agent)]).toEqual([true, null]);
  });

  it("has an example for each of the words of apps and phones, which no other words explain", () => {
    const explained = peoplesWords.filter(([whose, words]) =>
      peoplesAgents.some(([own, agent]) => own === whose && !isbot(agent.replace(words, " ").trim())),
    );
    expect(explained.map(([whose]) => whose)).toEqual(peoplesWords.map(([whose]) => whose));
  });

  it.each(programsAgents)("of a program is sorted by %s: %s", (rule, agent) => {
    expect(agentRuleOf(agent)).toBe(rule);
  });

  it("of each rule has an example, except for the rules by more than the agent", () => {
    const shown = new Set(programsAgents.map(([rule]) => rule));
    expect(Object.keys(botRules).filter((rule) => !shown.has(rule))).toEqual(["prefetch", "mail-scanner"]);
  });

  it.each([
    [
      "Googlebot in WeChat's words",
      "Mozilla/5.0 (compatible; Googlebot/2.1) Process/tools MicroMessenger/8.0",
    ],
    ["a scanner of networks", "Mozilla/5.0 (compatible; CSE-Scanner/1.0)"],
    [
      "a scanner of networks, on a computer",
      "Mozilla/5.0 (X11; Linux x86_64) Chrome/120.0 (scanner.ducks.party)",
    ],
    [
      "a crawler named after a phone",
      "Mozilla/5.0 (Linux; Android 9; K) Chrome/120.0 (compatible; Spider/1.0)",
    ],
    ["a headless browser on a phone", "Mozilla/5.0 (Linux; Android 9; Discovery SE) HeadlessChrome/120.0"],
    ["Sogou's crawler", "Sogou web spider/4.0(+http://www.sogou.com/docs/help/webmasters.htm#07)"],
    ["Google's news", "Mozilla/5.0 (compatible; Googlebot-News)"],
    ["an app without a browser", "QRScanner/3.1"],
    ["Facebook's preview", "facebookexternalhit/1.1 [FBAN/FB4A]"],
    [
      "a preview of images",
      "Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/534+ (KHTML, like Gecko) BingPreview/1.0b",
    ],
  ])("of %s stays a bot's", (_, agent) => {
    expect(agentRuleOf(agent)).toBe("isbot");
  });

  it.each([
    "",
    "curl/8.7.1",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (iPad; CPU OS 12_3_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148;WeRead/4.1.3 (iPad; iOS 12.3.1; Scale/2.00)",
    "Mozilla/5.0 (Linux; Android 11; CUBOT NOTE 20) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/119.0.0.0 Mobile Safari/537.36",
    "Mozilla/5.0 (Linux; Android 9; AFTKAUK001 Build/PS7681.4384N; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/124.0.6367.248 Mobile Safari/537.36/8.5.0 (Linux;Android 9) ExoPlayerLib/2.6.1",
  ])("stays a person's: %s", (agent) => {
    expect(agentRuleOf(agent)).toBeNull();
  });
});
