import type { Texts } from "./texts.ts";

export const tr: Texts = {
  send: "Gönder",
  thanks: "Teşekkür ederiz. Yanıtlarınız gönderildi.",
  required: "* ile işaretli alanlar zorunludur.",
  leaveEmpty: "Bu alanı boş bırakın",
  closed: "Bu form kapalı: en fazla yanıt sayısına ulaşıldı.",
  notSent: (pageTitle) => `Gönderilmedi: ${pageTitle}`,
  notices: {
    invalid: "Yanıtlarınız henüz gönderilmedi. Lütfen işaretlenen alanları kontrol edin.",
    early:
      "Form çok hızlı doldurulduğu için yanıtlarınız henüz gönderilmedi. Lütfen kontrol edip yeniden gönderin.",
    expired: "Bu form uzun süre açık kaldı. Yanıtlarınız duruyor: lütfen yeniden gönderin.",
    limited: "Ağınızdan çok fazla form gönderildi. Lütfen bir dakika bekleyip yeniden gönderin.",
    limitedToday: "Bugün ağınızdan çok fazla form gönderildi. Lütfen yarın yeniden gönderin.",
    unavailable: "Yanıtlarınız kaydedilemedi. Lütfen yeniden gönderin.",
  },
  problems: {
    missing: "Lütfen bu alanı doldurun.",
    unticked: "Lütfen bu kutuyu işaretleyin.",
    characters: "Bu alan izin verilmeyen karakterler içeriyor.",
    email: "Lütfen bir e-posta adresi girin.",
    option: "Lütfen seçeneklerden birini seçin.",
    phone: "Lütfen ülke koduyla birlikte bir telefon numarası girin, örneğin +49\u00a030\u00a0901820.",
    tooLong: (maxCharacters) => `Bu alana en fazla ${maxCharacters} karakter girilebilir.`,
  },
  reportPage: "Bu sayfayı bildir",
  reportCode: "Bu kodu bildir",
  apps: {
    message: { title: "Mesaj gönder", open: "Mesajları aç" },
    mail: { title: "E-posta yaz", open: "E-postayı aç" },
    to: "Alıcı:",
    subject: "Konu:",
  },
};
