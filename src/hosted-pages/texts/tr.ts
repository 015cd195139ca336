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
  codes: {
    missing: {
      title: "Bu kod hiçbir yere götürmüyor",
      text: "Sahibi tarafından kaldırılmış olabilir. Adresi elle yazdıysanız lütfen hata olup olmadığını kontrol edin.",
    },
    paused: {
      title: "Bu kod duraklatıldı",
      text: "Sahibi onu şimdilik duraklattı. Lütfen daha sonra yeniden deneyin.",
    },
    notStarted: {
      title: "Bu kod henüz etkin değil",
      text: "Sahibi kodun ne zaman çalışmaya başlayacağını belirledi. Lütfen daha sonra yeniden deneyin.",
    },
    expired: { title: "Bu kodun süresi doldu", text: "Sahibinin belirlediği kullanım süresi sona erdi." },
    suspended: {
      title: "Bu kod kapatıldı",
      text: "Bu hizmetin işletmecisi onu kapattı. Cihazınızda veya bağlantınızda bir sorun yok.",
    },
  },
  apps: {
    message: { title: "Mesaj gönder", open: "Mesajları aç" },
    mail: { title: "E-posta yaz", open: "E-postayı aç" },
    to: "Alıcı",
    subject: "Konu",
  },
};
