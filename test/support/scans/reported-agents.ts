/**
 * User agents that public reports and collections give as those of people's apps, or of programs. They are facts; each has
 * its source: a thread, or the folder of a repository.
 */

const deviceDetector = "matomo-org/device-detector, Tests";

/** Agents that isbot takes for bots', though people use them, by whose words it sees a bot in. */
export const peoplesAgents: readonly (readonly [whose: string, agent: string, source: string])[] = [
  [
    "WeChat",
    "Mozilla/5.0 (Linux; Android 10; V1916A) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/78.0.3904.62 XWEB/2759 MMWEBSDK/210302 Mobile Safari/537.36 MMWEBID/6170 MicroMessenger/7.0.20.1781(0x27001439) Process/tools WeChat/arm64 NetType/WIFI Language/zh_CN ABI/arm64",
    "omrilotan/isbot#269",
  ],
  [
    "WeChat",
    "Mozilla/5.0 (Linux; Android 9; SM-G965F Build/PPR1.180610.011; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/78.0.3904.62 XWEB/2889 MMWEBSDK/20210902 Mobile Safari/537.36 MMWEBID/4096 MicroMessenger/8.0.15.2001(0x28000F41) Process/toolsmp WeChat/arm64 Weixin GPVersion/1 NetType/WIFI Language/en ABI/arm64",
    deviceDetector,
  ],
  [
    "QR code scanners and readers",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 15_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 QRScanner/3.1",
    "omrilotan/isbot#269",
  ],
  [
    "Sogou's browser and search app",
    "Mozilla/5.0 (Linux; Android 10; ZTE A2020 SP Build/QKQ1.200913.002; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/68.0.3440.106 Mobile Safari/537.36 AWP/2.0 SogouMSE,SogouMobileBrowser/6.5.11",
    deviceDetector,
  ],
  [
    "Sogou's browser and search app",
    "Mozilla/5.0 (Linux; Android 7.0; JMM-AL00 Build/HONORJMM-AL00; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/62.0.3202.84 Mobile Safari/537.36 SogouSearch Android1.0 version3.0 AppVersion/6002",
    deviceDetector,
  ],
  [
    "phones by their model",
    "Mozilla/5.0 (Linux; Android 13; Discovery SE) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/127.0.0.0 Mobile Safari/537.36",
    deviceDetector,
  ],
  [
    "phones by their model",
    "Mozilla/5.0 (Linux; Android 8.1.0; Radar Deluxe 2) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/80.0.3987.99 Mobile Safari/537.36",
    deviceDetector,
  ],
  [
    "phones by their model",
    "Mozilla/5.0 (Linux; Android 8.1.0; Newsday_A2) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/80.0.3987.87 Mobile Safari/537.36",
    deviceDetector,
  ],
  [
    "phones by their model",
    "Mozilla/5.0 (Linux; Android 7.0; C Bot Tab 70) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/78.0.3904.108 Safari/537.36",
    deviceDetector,
  ],
  [
    "phones by their model",
    "Mozilla/5.0 (Linux; Android 13; Spider 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36",
    deviceDetector,
  ],
  [
    "phones by their model",
    "Mozilla/5.0 (Linux; Android 6.0; CG|EON Blaze GOLD) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/80.0.3987.149 Mobile Safari/537.36",
    deviceDetector,
  ],
  [
    "phones by their model",
    "Mozilla/5.0 (Linux; Android 11; DYON 2K Google TV Build/RTK2.230523.018; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/126.0.6478.134 Mobile Safari/537.36",
    deviceDetector,
  ],
  [
    "news apps",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 10_3_2 like Mac OS X) AppleWebKit/603.2.4 (KHTML, like Gecko) Mobile/14F89 JsKit/1.0 (iOS) /SohuNews SohuNews/5.9.2",
    deviceDetector,
  ],
  [
    "news apps",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 WebViewApp WallaNews/9.8.2/IOS",
    deviceDetector,
  ],
  [
    "news apps",
    "Mozilla/5.0 (iPad; CPU OS 17_4_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 WebViewApp Townnews-Now/4.0",
    deviceDetector,
  ],
  [
    "news apps",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 10_0 like Mac OS X) AppleWebKit/602.1.43 (KHTML, like Gecko) AppleNews/607 Version/2.0",
    deviceDetector,
  ],
  [
    "Alipay, Taobao and Lazada",
    "Mozilla/5.0 (Linux; U; Android 12; zh-CN; KB2000 Build/RKQ1.211119.001) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/69.0.3497.100 UWS/3.22.2.43 Mobile Safari/537.36 UCBS/3.22.2.43_220223200704 NebulaSDK/1.8.100112 Nebula AlipayDefined(nt:WIFI,ws:360|0|3.0) AliApp(AP/10.3.0.8000) AlipayClient/10.3.0.8000 Language/zh-Hans useStatusBar/true isConcaveScreen/true Region/CNAriver/1.0.0",
    deviceDetector,
  ],
  [
    "Alipay, Taobao and Lazada",
    "Mozilla/5.0 (Linux; U; Android 7.1.1; zh-CN; OPPO R11st Build/NMF26X) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/57.0.2987.108 UCBrowser/11.9.4.974 UWS/2.14.0.3 Mobile Safari/537.36 AliApp(TB/7.8.3) UCBS/2.11.1.1 TTID/600000@taobao_android_7.8.3 WindVane/8.3.0 1080X2016",
    deviceDetector,
  ],
  [
    "Google Lens, Assistant and Maps",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_2_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) GoogleLens/303.0 Mobile/21C66 Safari/604.1 [WebViewInline]",
    deviceDetector,
  ],
  [
    "Google Lens, Assistant and Maps",
    "Mozilla/5.0 (iPhone; CPU OS 16.3.1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) GoogleWv/1.0 (WKWebView) OPA/1.9.78001 CoreAssistant/com.google.OPA",
    deviceDetector,
  ],
  [
    "Google Lens, Assistant and Maps",
    "Mozilla/5.0 (iPhone; U; CPU iPhone OS 13.3.1; en_US; ) AppleWebKit/0.0 (KHTML, like Gecko) Version/0.0; GmmClient:google_ios/com.google.Maps/5.38.8/Mobile/ios:iPhone10,2/iOS-AppStore comdirect/1.0 (appVersion:20.3.0;deviceName:apple iphone;deviceType:mobile)",
    deviceDetector,
  ],
  [
    "Facebook and Instagram",
    "Mozilla/5.0 (Linux; U; Android 4.2.1; ru-ru; ZT-97003G Build/JOP40D[20131216.194236]) AppleWebKit/534.30 (KHTML, like Gecko) Version/4.0 Safari/534.30 Instagram 54.0.0.14.82 Android (17/4.2.1; 160dpi; 1024x720; ULMART/ZIFRO; ZT-97003G; ZT-97003G; mt8389; ru_RU; 117539687)",
    deviceDetector,
  ],
  [
    "imo",
    "Mozilla/5.0 (Linux; Android 10; M2004J19C Build/QP1A.190711.020; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/80.0.3987.99 Mobile Safari/537.36 imoAndroid/2020.07.3051; 10; REL; M2004J19C; Redmi; play; phone; arm64-v8a; galahad; 2000MHz;",
    deviceDetector,
  ],
  [
    "Blue Proxy and ProxyFox",
    "Mozilla/5.0 (Linux; Android 10) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/120.0.6099.144 Mobile ProxyFox/11 Safari/537.36",
    deviceDetector,
  ],
  [
    "Blue Proxy and ProxyFox",
    "Mozilla/5.0 (Linux; Android 5.1.1) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Blue Proxy/1.0.18 Chrome/74.0.3729.157 Mobile Safari/537.36",
    deviceDetector,
  ],
];

/** Agents of programs, by their rule. */
export const programsAgents: readonly (readonly [rule: string, agent: string, source: string])[] = [
  [
    "apple-fetch",
    "com.apple.WebKit.Networking/8617.1.17 CFNetwork/1490.0.4 Darwin/23.2.0",
    "dubinc/dub#1860, shlinkio/shlink#1084",
  ],
  ["apple-fetch", "Siri/1 CFNetwork/1128.0.1 Darwin/19.6.0", deviceDetector],
  ["apple-fetch", "Twitter/7.57 CFNetwork/978.0.7 Darwin/18.7.0", deviceDetector],
  ["apple-fetch", "Pulse/4.0.5 (iPhone; iOS 7.0.6; Scale/2.00)", deviceDetector],
  [
    "apple-fetch",
    "Castamatic/5.1.4 (com.gunpmedia.Castamatic; build:3136; iOS 13.1.3) Alamofire/4.9.0",
    deviceDetector,
  ],
  [
    "android-fetch",
    "Dalvik/2.1.0 (Linux; U; Android 13; SM-A546B Build/TP1A.220624.014)",
    "our own test data",
  ],
  [
    "android-fetch",
    "GaanaAndroid-8.27.3/Dalvik/2.1.0 (Linux; U; Android 9; Redmi Note 8 MIUI/V11.0.6.0.PCOINXM)",
    deviceDetector,
  ],
  [
    "android-fetch",
    "com.netflix.mediaclient/35245 (Linux; U; Android 5.1.1; es_ES; KFDOWI; Build/LVY48F; Cronet/76.0.3809.111)",
    deviceDetector,
  ],
  ["android-fetch", "DAVdroid/1.6.2-ose (2017/06/23; dav4android; okhttp3) Android/7.0", deviceDetector],
  ["android-fetch", "Android-Gmail/64562652 (sw411dp; 420dpi) (r7 TP1A.220624.014)", deviceDetector],
  ["android-fetch", "okhttp/4.12.0", "our own test data"],
  ["dart-fetch", "Dart/3.1 (dart:io)", "dubinc/dub#1860"],
  ["dart-fetch", "Dart/2.16 (dart:io)", deviceDetector],
  ["server-runtime", "ReactorNetty/0.9.10.RELEASE", deviceDetector],
  [
    "server-runtime",
    "Mozilla/5.0 (win32) AppleWebKit/537.36 (KHTML, like Gecko) jsdom/15.2.1",
    deviceDetector,
  ],
  ["server-runtime", "Mozilla/5.0 (X11; Linux x86_64; rv:21.0) Gecko/20100101 SlimerJS/0.7", deviceDetector],
  [
    "office-preview",
    "Microsoft Office Excel/16.44.1213 (Mac OS/11.1; Desktop; en-US; AppStore; Apple/MacBookAir10,1)",
    deviceDetector,
  ],
  ["isbot", "WhatsApp/2.23.20.0 A", "our own test data"],
  [
    "isbot",
    "Mozilla/5.0 (Linux; Android 8.0; Pixel 2 Build/OPD3.170816.012; Storebot-Google/1.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/81.0.4044.138 Mobile Safari/537.36",
    deviceDetector,
  ],
  [
    "isbot",
    "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/41.0.2272.96 Mobile Safari/537.36 (compatible; Google-AMPHTML)",
    deviceDetector,
  ],
  [
    "isbot",
    "Mozilla/5.0 (Linux; Android 11; Moto G Power (2022)) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/109.0.0.0 Mobile Safari/537.36 CloudflareObservatory/1.0",
    deviceDetector,
  ],
];
