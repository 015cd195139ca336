/** The device, system and browser of a human scan; null if the user agent doesn't say. */
type Person = readonly [device: string | null, os: string | null, browser: string | null];

/** Real user agents with their expected properties; `bot` for programs. */
export const userAgents: readonly (readonly [agent: string, expected: Person | "bot"])[] = [
  // Browsers on phones.
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
    ["mobile", "iOS", "Safari"],
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 12_5_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/12.1.2 Mobile/15E148 Safari/604.1",
    ["mobile", "iOS", "Safari"],
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/124.0.6367.88 Mobile/15E148 Safari/604.1",
    ["mobile", "iOS", "Chrome"],
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/125.0 Mobile/15E148 Safari/605.1.15",
    ["mobile", "iOS", "Firefox"],
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 EdgiOS/124.0.2478.71 Mobile/15E148 Safari/605.1.15",
    ["mobile", "iOS", "Microsoft Edge"],
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1 OPT/4.5.1",
    ["mobile", "iOS", "Opera Touch"],
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 DuckDuckGo/7 Safari/605.1.15",
    ["mobile", "iOS", "DuckDuckGo"],
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4.1 Mobile/15E148 Safari/604.1 Ddg/17.4",
    ["mobile", "iOS", "DuckDuckGo"],
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) GSA/315.0.630091404 Mobile/15E148 Safari/604.1",
    ["mobile", "iOS", "Google Search"],
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_3 like Mac OS X; de-de) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.3 YaBrowser/24.1.6.10.10 SA/3 Mobile/15E148 Safari/604.1",
    ["mobile", "iOS", "Yandex Browser"],
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
    ["mobile", "iOS", "Safari"],
  ],
  [
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36",
    ["mobile", "Android", "Chrome"],
  ],
  [
    "Mozilla/5.0 (Linux; Android 14; Pixel 8 Pro) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/123.0.6312.118 Mobile Safari/537.36",
    ["mobile", "Android", "Chrome"],
  ],
  [
    "Mozilla/5.0 (Linux; Android 6.0.1; SM-G900F) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/98.0.4758.101 Mobile Safari/537.36",
    ["mobile", "Android", "Chrome"],
  ],
  ["Mozilla/5.0 (Android 14; Mobile; rv:125.0) Gecko/125.0 Firefox/125.0", ["mobile", "Android", "Firefox"]],
  [
    "Mozilla/5.0 (Linux; Android 14; SAMSUNG SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/24.0 Chrome/117.0.0.0 Mobile Safari/537.36",
    ["mobile", "Android", "Samsung Internet for Android"],
  ],
  [
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36",
    ["mobile", "Android", "Samsung Internet for Android"],
  ],
  [
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/123.0.0.0 Mobile Safari/537.36 EdgA/123.0.2420.102",
    ["mobile", "Android", "Microsoft Edge"],
  ],
  [
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/122.0.0.0 Mobile Safari/537.36 OPR/81.0.0.0",
    ["mobile", "Android", "Opera"],
  ],
  [
    "Opera/9.80 (Android; Opera Mini/78.0.2254/191.303; U; en) Presto/2.12.423 Version/12.16",
    ["mobile", "Android", "Opera"],
  ],
  [
    "Mozilla/5.0 (Linux; Android 13; SM-A536B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/111.0.0.0 Mobile Safari/537.36 OPT/2.9",
    ["mobile", "Android", "Opera Touch"],
  ],
  [
    "Mozilla/5.0 (Linux; U; Android 13; de-de; 2201117TY Build/TKQ1.221114.001) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/100.0.4896.127 Mobile Safari/537.36 XiaoMi/MiuiBrowser/14.10.1.3-gn",
    ["mobile", "Android", "MIUI Browser"],
  ],
  [
    "Mozilla/5.0 (Linux; Android 12; ELS-NX9; HMSCore 6.13.0.302; GMSCore 23.45.23) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/99.0.4844.88 HuaweiBrowser/14.0.3.300 Mobile Safari/537.36",
    ["mobile", "Android", "Huawei Browser"],
  ],
  [
    "Mozilla/5.0 (Linux; Android 10; HarmonyOS; ANA-AN00; HMSCore 6.12.4.312) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/99.0.4844.88 HuaweiBrowser/13.0.6.302 Mobile Safari/537.36",
    ["mobile", "Android", "Huawei Browser"],
  ],
  [
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile DuckDuckGo/5 Safari/537.36",
    ["mobile", "Android", "DuckDuckGo"],
  ],
  [
    "Mozilla/5.0 (Linux; Android 13; SM-A135F) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/124.0.6367.82 Mobile DuckDuckGo/5 Safari/537.36",
    ["mobile", "Android", "DuckDuckGo"],
  ],
  [
    "Mozilla/5.0 (Linux; U; Android 11; en-US; RMX2185 Build/RP1A.200720.011) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/100.0.4896.58 UCBrowser/13.5.0.1311 Mobile Safari/537.36",
    ["mobile", "Android", "UC Browser"],
  ],
  [
    "Mozilla/5.0 (Linux; Android 12; V2120 Build/SP1A.210812.003; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/87.0.4280.141 Mobile Safari/537.36 VivoBrowser/10.9.2.0",
    ["mobile", "Android", "Vivo Browser"],
  ],
  [
    "Mozilla/5.0 (Linux; U; Android 12; de-de; CPH2269 Build/RKQ1.211119.001) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/90.0.4430.61 Mobile Safari/537.36 HeyTapBrowser/45.9.0.1.1",
    ["mobile", "Android", "HeyTap Browser"],
  ],
  [
    "Mozilla/5.0 (Linux; Android 12; M2101K6G) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.6099.144 YaBrowser/24.1.2.221.00 SA/3 Mobile Safari/537.36",
    ["mobile", "Android", "Yandex Browser"],
  ],
  [
    "Mozilla/5.0 (Linux; Android 13; SM-G991B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36 Vivaldi/6.7.3329.31",
    ["mobile", "Android", "Vivaldi"],
  ],
  [
    "Mozilla/5.0 (Linux; Android 13; SM-A546B Build/TP1A.220624.014; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/124.0.6367.113 Mobile Safari/537.36",
    ["mobile", "Android", "Chrome"],
  ],
  [
    "Mozilla/5.0 (Linux; U; Android 4.1.2; de-de; GT-I9100 Build/JZO54K) AppleWebKit/534.30 (KHTML, like Gecko) Version/4.0 Mobile Safari/534.30",
    ["mobile", "Android", "Android Browser"],
  ],
  [
    "Mozilla/5.0 (Mobile; Nokia 2780 Flip; rv:109.0) Gecko/115.0 Firefox/115.0 KAIOS/4.0",
    ["mobile", null, "Firefox"],
  ],
  [
    "Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Microsoft; Lumia 950) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/52.0.2743.116 Mobile Safari/537.36 Edge/15.15254",
    ["mobile", "Windows Phone", "Microsoft Edge"],
  ],
  // Browsers inside apps.
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/21E236 Instagram 330.0.3.29.109 (iPhone15,2; iOS 17_4_1; de_DE; de; scale=3.00; 1179x2556; 595653390)",
    ["mobile", "iOS", "Instagram"],
  ],
  [
    "Mozilla/5.0 (Linux; Android 13; SM-A536B Build/TP1A.220624.014; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/124.0.6367.82 Mobile Safari/537.36 Instagram 328.0.0.42.90 Android (33/13; 450dpi; 1080x2177; samsung; SM-A536B; a53x; s5e8825; de_DE; 593685411)",
    ["mobile", "Android", "Instagram"],
  ],
  [
    "Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/20G75 Instagram 310.0.0.19.114 (iPad13,1; iPadOS 16_6; en_US; en; scale=2.00; 750x1334; 548339486)",
    ["tablet", "iOS", "Instagram"],
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/21E236 [FBAN/FBIOS;FBAV/462.0.0.32.107;FBBV/588571283;FBDV/iPhone14,5;FBMD/iPhone;FBSN/iOS;FBSV/17.4.1;FBSS/3;FBID/phone;FBLC/de_DE;FBOP/5]",
    ["mobile", "iOS", "Facebook"],
  ],
  [
    "Mozilla/5.0 (Linux; Android 14; SM-S911B Build/UP1A.231005.007; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/124.0.6367.82 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/463.0.0.42.89;]",
    ["mobile", "Android", "Facebook"],
  ],
  [
    "Mozilla/5.0 (Linux; Android 12; M2007J20CG Build/SKQ1.211019.001; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/123.0.6312.118 Mobile Safari/537.36 [FB_IAB/Orca-Android;FBAV/455.0.0.38.109;]",
    ["mobile", "Android", "Facebook"],
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 musical_ly_34.2.0 JsSdk/2.0 NetType/WIFI Channel/App Store ByteLocale/de Region/DE isDarkMode/0 WKWebView/1 RevealType/Dialog BytedanceWebview/d8a21c6",
    ["mobile", "iOS", "TikTok"],
  ],
  [
    "Mozilla/5.0 (Linux; Android 13; 2201117TY Build/TKQ1.221114.001; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/123.0.6312.118 Mobile Safari/537.36 trill_340203 JsSdk/1.0 NetType/WIFI Channel/googleplay AppName/musical_ly app_version/34.2.3 ByteLocale/de-DE ByteFullLocale/de-DE Region/DE BytedanceWebview/d8a21c6",
    ["mobile", "Android", "TikTok"],
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Safari Line/14.5.0",
    ["mobile", "iOS", "LINE"],
  ],
  [
    "Mozilla/5.0 (Linux; Android 13; SO-51C Build/64.1.B.0.117; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/123.0.6312.118 Mobile Safari/537.36 Line/14.5.1/IAB",
    ["mobile", "Android", "LINE"],
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4.1 Mobile/15E148 Snapchat/12.84.0.40 (like Safari/8618.1.15.10.15, panda)",
    ["mobile", "iOS", "Snapchat"],
  ],
  [
    "Mozilla/5.0 (Linux; Android 14; SM-S901B Build/UP1A.231005.007; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/124.0.6367.82 Mobile Safari/537.36Snapchat/12.84.0.38 (SM-S901B; Android 14#S901BXXS8DXC3#34; gzip; )",
    ["mobile", "Android", "Snapchat"],
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [Pinterest/iOS]",
    ["mobile", "iOS", "Pinterest"],
  ],
  [
    "Mozilla/5.0 (Linux; Android 13; SM-A336B Build/TP1A.220624.014; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/124.0.6367.82 Mobile Safari/537.36 [Pinterest/Android]",
    ["mobile", "Android", "Pinterest"],
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [LinkedInApp]/9.29.7124",
    ["mobile", "iOS", "LinkedIn"],
  ],
  [
    "Mozilla/5.0 (Linux; Android 14; Pixel 7 Build/AP1A.240405.002; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/124.0.6367.82 Mobile Safari/537.36 [LinkedInApp]/4.1.930",
    ["mobile", "Android", "LinkedIn"],
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.49(0x18003129) NetType/WIFI Language/zh_CN",
    ["mobile", "iOS", "WeChat"],
  ],
  [
    "Mozilla/5.0 (Linux; Android 13; 22081212C Build/TKQ1.220829.002; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/116.0.0.0 Mobile Safari/537.36 XWEB/1160117 MMWEBSDK/20240301 MMWEBID/2246 MicroMessenger/8.0.48.2580(0x28003036) WeChat/arm64 Weixin NetType/WIFI Language/zh_CN ABI/arm64",
    ["mobile", "Android", "WeChat"],
  ],
  [
    "Mozilla/5.0 (Linux; Android 12; V2055A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/89.0.4389.72 MQQBrowser/6.2 TBS/046141 Mobile Safari/537.36",
    ["mobile", "Android", "QQ Browser"],
  ],
  // Tablets.
  [
    "Mozilla/5.0 (iPad; CPU OS 12_5_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/12.1.2 Mobile/15E148 Safari/604.1",
    ["tablet", "iOS", "Safari"],
  ],
  [
    "Mozilla/5.0 (iPad; CPU OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/124.0.6367.88 Mobile/15E148 Safari/604.1",
    ["tablet", "iOS", "Chrome"],
  ],
  [
    "Mozilla/5.0 (Linux; Android 13; SM-X906C Build/TP1A.220624.014) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/119.0.6045.163 Safari/537.36",
    ["tablet", "Android", "Chrome"],
  ],
  ["Mozilla/5.0 (Android 13; Tablet; rv:125.0) Gecko/125.0 Firefox/125.0", ["tablet", "Android", "Firefox"]],
  [
    "Mozilla/5.0 (Linux; Android 11; KFTRWI Build/RS8319.2735N) AppleWebKit/537.36 (KHTML, like Gecko) Silk/122.3.1 like Chrome/122.0.6261.140 Safari/537.36",
    ["tablet", "Android", "Amazon Silk"],
  ],
  [
    "Mozilla/5.0 (Linux; Android 12; SAMSUNG SM-T870) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/24.0 Chrome/117.0.0.0 Safari/537.36",
    ["tablet", "Android", "Samsung Internet for Android"],
  ],
  // Desktops.
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36",
    ["desktop", "Windows", "Chrome"],
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36 Edg/124.0.2478.67",
    ["desktop", "Windows", "Microsoft Edge"],
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:125.0) Gecko/20100101 Firefox/125.0",
    ["desktop", "Windows", "Firefox"],
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/123.0.0.0 Safari/537.36 OPR/109.0.0.0",
    ["desktop", "Windows", "Opera"],
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/122.0.0.0 YaBrowser/24.4.0.0 Safari/537.36",
    ["desktop", "Windows", "Yandex Browser"],
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko",
    ["desktop", "Windows", "Internet Explorer"],
  ],
  [
    "Mozilla/5.0 (Windows NT 6.1; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/109.0.0.0 Safari/537.36",
    ["desktop", "Windows", "Chrome"],
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/107.0.0.0 Safari/537.36 MicroMessenger/7.0.20.1781(0x6700143B) NetType/WIFI MiniProgramEnv/Windows WindowsWechat/WMPF XWEB/8555",
    ["desktop", "Windows", "WeChat"],
  ],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4.1 Safari/605.1.15",
    ["desktop", "macOS", "Safari"],
  ],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36",
    ["desktop", "macOS", "Chrome"],
  ],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:125.0) Gecko/20100101 Firefox/125.0",
    ["desktop", "macOS", "Firefox"],
  ],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15 Ddg/17.4",
    ["desktop", "macOS", "DuckDuckGo"],
  ],
  [
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36",
    ["desktop", "Linux", "Chrome"],
  ],
  [
    "Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:125.0) Gecko/20100101 Firefox/125.0",
    ["desktop", "Linux", "Firefox"],
  ],
  [
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Safari/605.1.15 Epiphany/605.1.15",
    ["desktop", "Linux", "Epiphany"],
  ],
  [
    "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36",
    ["desktop", "Chrome OS", "Chrome"],
  ],
  [
    "Mozilla/5.0 (X11; CrOS aarch64 15236.80.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/109.0.5414.125 Safari/537.36",
    ["desktop", "Chrome OS", "Chrome"],
  ],
  // Televisions.
  [
    "Mozilla/5.0 (Linux; Android 9; BRAVIA 4K UR2 Build/PTT1.190515.001.S104) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/88.0.4324.152 Safari/537.36",
    ["tv", "Android", "Chrome"],
  ],
  [
    "Mozilla/5.0 (Linux; Android 11; SHIELD Android TV Build/RQ1A.210105.003; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/99.0.4844.88 Mobile Safari/537.36",
    ["tv", "Android", "Chrome"],
  ],
  [
    "Mozilla/5.0 (Linux; Android 10; MiTV-AXSO0 Build/QTG3.200305.006) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/90.0.4430.210 Safari/537.36",
    ["tv", "Android", "Chrome"],
  ],
  [
    "Mozilla/5.0 (Linux; Android 12; Chromecast Build/STTL.240206.002; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/120.0.6099.230 Mobile Safari/537.36",
    ["tv", "Android", "Chrome"],
  ],
  [
    "Mozilla/5.0 (X11; Linux armv7l) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/90.0.4430.225 Safari/537.36 CrKey/1.56.500000",
    ["tv", "Linux", "Chrome"],
  ],
  [
    "Mozilla/5.0 (Linux; Android 9; AFTMM Build/PS7633.3445N; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/112.0.5615.197 Mobile Safari/537.36",
    ["tv", "Android", "Chrome"],
  ],
  [
    "Mozilla/5.0 (Linux; Android 7.1.2; AFTKA) AppleWebKit/537.36 (KHTML, like Gecko) Silk/112.4.1 like Chrome/112.0.5615.213 Safari/537.36",
    ["tv", "Android", "Amazon Silk"],
  ],
  [
    "Mozilla/5.0 (Linux; U; Android 5.1.1; en-us; AFTS Build/LMY47O) AppleWebKit/534.30 (KHTML, like Gecko) Version/4.0 Mobile Safari/534.30",
    ["tv", "Android", "Android Browser"],
  ],
  [
    "Mozilla/5.0 (SMART-TV; Linux; Tizen 6.5) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/4.0 Chrome/85.0.4183.93 TV Safari/537.36",
    ["tv", "Tizen", "Samsung Internet for Android"],
  ],
  [
    "Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/94.0.4606.128 Safari/537.36 WebAppManager",
    ["tv", "WebOS", "WebOS Browser"],
  ],
  ["Roku/DVP-12.5 (12.5.5.4147-88)", ["tv", "Roku", "Roku"]],
  // Tools that people use to try a code by hand.
  ["curl/8.7.1", [null, null, null]],
  ["Wget/1.21.4", [null, null, null]],
  ["HTTPie/3.2.2", [null, null, null]],
  ["PostmanRuntime/7.37.3", [null, null, null]],
  ["insomnia/9.1.1", [null, null, null]],
  // Programs.
  ["node-fetch/1.0 (+https://github.com/bitinn/node-fetch)", "bot"],
  ["node-fetch", "bot"],
  ["node-superagent/8.1.2", "bot"],
  ["node", "bot"],
  ["undici", "bot"],
  ["Deno/1.43.1", "bot"],
  ["Bun/1.1.8", "bot"],
  ["axios/1.6.8", "bot"],
  ["got (https://github.com/sindresorhus/got)", "bot"],
  ["python-requests/2.31.0", "bot"],
  ["Python/3.11 aiohttp/3.9.5", "bot"],
  ["Go-http-client/2.0", "bot"],
  ["Java/17.0.10", "bot"],
  ["okhttp/4.12.0", "bot"],
  ["Dalvik/2.1.0 (Linux; U; Android 13; SM-A546B Build/TP1A.220624.014)", "bot"],
  ["Dalvik/2.1.0 (Linux; U; Android 9; SHIELD Android TV Build/PPR1.180610.011)", "bot"],
  ["Apache-HttpClient/4.5.14 (Java/17.0.10)", "bot"],
  ["GuzzleHttp/7", "bot"],
  ["Ruby", "bot"],
  ["Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.17425; Pro)", "bot"],
  ["Microsoft Office/16.0 (Microsoft Outlook Mail 16.0.17425; Pro)", "bot"],
  ["Microsoft Office Word 2014", "bot"],
  ["Microsoft Office Existence Discovery", "bot"],
  [
    "Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; Win64; x64; Trident/7.0; .NET4.0C; .NET4.0E; Microsoft Outlook 16.0.5435; ms-office; MSOffice 16)",
    "bot",
  ],
  ["Mozilla/4.0 (compatible; ms-office; MSOffice 16)", "bot"],
  ["Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com", "bot"],
  ["Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "bot"],
  [
    "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.6367.91 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "bot",
  ],
  ["Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)", "bot"],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1.1 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)",
    "bot",
  ],
  ["facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)", "bot"],
  ["Twitterbot/1.0", "bot"],
  ["WhatsApp/2.24.9.74 A", "bot"],
  ["TelegramBot (like TwitterBot)", "bot"],
  ["Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)", "bot"],
  ["LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)", "bot"],
  ["Mozilla/5.0 (compatible; Pinterestbot/1.0; +http://www.pinterest.com/bot.html)", "bot"],
  ["Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)", "bot"],
  [
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/124.0.0.0 Safari/537.36",
    "bot",
  ],
  [
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
    "bot",
  ],
];
