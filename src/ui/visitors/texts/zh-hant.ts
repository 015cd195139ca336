import type { Texts } from "./texts.ts";

// In traditional characters, with the words of Taiwan where readers in Hong Kong and Macau know them.
export const zhHant: Texts = {
  send: "送出",
  thanks: "謝謝，您的回覆已送出。",
  required: "標有 * 的欄位為必填。",
  leaveEmpty: "請將此欄留空",
  closed: "此表單已關閉，不再接受回覆。",
  notSent: (pageTitle) => `尚未送出：${pageTitle}`,
  notices: {
    invalid: "您的回覆尚未送出。請檢查標示的欄位。",
    trapped: "您的回覆尚未送出。瀏覽器或密碼管理工具自動填寫了一個用來防堵垃圾訊息的隱藏欄位。請再送出一次。",
    early: "您填寫得很快。為了防堵垃圾訊息，您的回覆尚未送出。請再送出一次。",
    expired: "此表單已開啟很久。您填寫的內容都還在，請再送出一次。",
    limited: "您的網路送出次數過多。請等一分鐘後再試。",
    limitedToday: "您的網路今天送出次數過多。請明天再試。",
    unavailable: "無法儲存您的回覆。請再送出一次。",
  },
  problems: {
    missing: "請填寫此欄。",
    unchecked: "請勾選此項。",
    characters: "此欄含有無法使用的字元。",
    email: "請輸入電子郵件地址。",
    option: "請選擇其中一個選項。",
    phone: "請輸入包含國碼的電話號碼，例如 +49\u00a030\u00a0901820。",
    tooLong: (maxCharacters) => `最多可輸入 ${maxCharacters} 個字元。`,
  },
  reportPage: "檢舉此頁面",
  reportCode: "檢舉此 QR Code",
  codes: {
    missing: {
      title: "此 QR Code 沒有對應的內容",
      text: "它可能已被刪除。如果網址是您自行輸入的，請檢查是否有誤。",
    },
    paused: { title: "此 QR Code 已暫停使用", text: "目前無法使用。請稍後再試。" },
    notStarted: { title: "此 QR Code 尚未啟用", text: "啟用時間還沒到。請晚點再試。" },
    expired: { title: "此 QR Code 已過期", text: "它只在一段期間內有效。" },
    suspended: {
      title: "此 QR Code 已被停用",
      text: "本服務的營運者已將其停用。您的裝置和網路都沒有問題。",
    },
    noCode: { title: "此網址沒有對應的 QR Code", text: "請檢查網址是否有誤，或重新掃描 QR Code。" },
    unavailable: {
      title: "目前無法開啟此 QR Code",
      text: "這是我們的問題，QR Code 本身沒有問題。請過幾秒再試。",
    },
  },
  domains: {
    pending: { title: "此網址尚未準備好", text: "擁有者仍在設定。請稍後再試。" },
    suspended: { title: "此網址已被停用", text: "本服務的營運者已將其停用。您的裝置和網路都沒有問題。" },
    removed: { title: "此網址已不再使用", text: "擁有者已停用此網址。請向對方詢問新網址。" },
  },
  pages: {
    missing: {
      title: "找不到此頁面",
      text: "它可能已被刪除。如果網址是您自行輸入的，請檢查是否有誤。",
    },
    suspended: { title: "此頁面已被停用", text: "本服務的營運者已將其停用。您的裝置和網路都沒有問題。" },
    unavailable: { title: "目前無法開啟此頁面", text: "這是我們的問題。請過幾秒再試。" },
  },
  apps: {
    message: { title: "傳送訊息", open: "開啟訊息 App" },
    mail: { title: "撰寫電子郵件", open: "開啟郵件 App" },
    to: "收件人",
    subject: "主旨",
  },
  contact: {
    save: "儲存聯絡人",
    phones: {
      mobile: "手機",
      work: "公司電話",
      home: "住家電話",
      fax: "傳真",
      other: "電話",
    },
    extension: (digits) => `分機 ${digits}`,
    email: "電子郵件",
    website: "網站",
    address: "地址",
  },
  abuse: {
    title: { code: "檢舉 QR Code", page: "檢舉頁面" },
    intro: {
      code: "此 QR Code 會連到有害的內容嗎？請告訴本服務的營運者。QR Code 的擁有者看不到您的檢舉，我們也不會儲存您的 IP 位址。",
      page: "此頁面有害嗎？請告訴本服務的營運者。頁面的擁有者看不到您的檢舉，我們也不會儲存您的 IP 位址。",
    },
    code: {
      label: "QR Code",
      hint: "印在 QR Code 旁的網址，或網址中最後一個斜線後面的部分",
      problem: "請輸入 QR Code 的網址，或網址中最後一個斜線後面的部分。",
    },
    reason: "有什麼問題？",
    reasons: {
      phishing: "網路釣魚：索取密碼或金錢",
      malware: "惡意軟體",
      spam: "垃圾訊息",
      illegal_content: "違法內容",
      other: "其他問題",
    },
    details: {
      label: "詳細說明（選填）",
      hint: (maxCharacters) => `什麼時候發生了什麼事？最多 ${maxCharacters} 個字元`,
    },
    email: { label: "您的電子郵件地址（選填）", hint: "方便我們就您的檢舉與您聯絡" },
    send: "送出檢舉",
    notices: {
      invalid: "您的檢舉尚未送出。請檢查標示的欄位。",
      limited: "您的網路檢舉次數過多。請等一分鐘後再試。",
      unavailable: "無法儲存您的檢舉。請再送出一次。",
    },
    sent: {
      title: "感謝您的檢舉",
      text: "本服務的營運者會進行查核。",
      advice: "如果您輸入過密碼，請變更密碼。如果您輸入過卡號，請聯絡您的銀行。",
    },
  },
};
