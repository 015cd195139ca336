import type { Texts } from "./texts.ts";

export const tr: Texts = {
  send: "Gönder",
  thanks: "Teşekkürler, yanıtlarınız gönderildi.",
  required: "* ile işaretli alanlar zorunludur.",
  leaveEmpty: "Bu alanı boş bırakın",
  closed: "Bu form kapandı, artık yanıt kabul etmiyor.",
  notSent: (pageTitle) => `Gönderilmedi: ${pageTitle}`,
  notices: {
    invalid: "Yanıtlarınız henüz gönderilmedi. İşaretli alanları kontrol edin.",
    trapped:
      "Yanıtlarınız henüz gönderilmedi. Tarayıcınız veya bir parola yöneticisi, istenmeyen gönderileri önleyen gizli bir alanı doldurdu. Yeniden gönderin.",
    early:
      "Çok hızlıydınız. İstenmeyen gönderileri önlemek için yanıtlarınız henüz gönderilmedi. Yeniden gönderin.",
    expired: "Bu form uzun süre açık kaldı. Yanıtlarınız duruyor, yeniden gönderin.",
    limited: "Ağınızdan çok fazla form gönderildi. Bir dakika bekleyip yeniden deneyin.",
    limitedToday: "Bugün ağınızdan çok fazla form gönderildi. Yarın yeniden deneyin.",
    unavailable: "Yanıtlarınız kaydedilemedi. Yeniden gönderin.",
  },
  problems: {
    missing: "Bu alanı doldurun.",
    unchecked: "Bu kutuyu işaretleyin.",
    characters: "Bu alanda kullanılamayan karakterler var.",
    email: "Bir e-posta adresi girin.",
    option: "Seçeneklerden birini seçin.",
    phone: "Ülke koduyla birlikte bir telefon numarası girin, örneğin +49\u00a030\u00a0901820.",
    tooLong: (maxCharacters) => `En fazla ${maxCharacters} karakter girin.`,
  },
  reportPage: "Bu sayfayı bildir",
  reportCode: "Bu kodu bildir",
  codes: {
    missing: {
      title: "Bu kod bir yere yönlendirmiyor",
      text: "Silinmiş olabilir. Adresi elle yazdıysanız yazım hatası olup olmadığını kontrol edin.",
    },
    paused: {
      title: "Bu kod duraklatıldı",
      text: "Şu anda kullanılamıyor. Daha sonra yeniden deneyin.",
    },
    notStarted: {
      title: "Bu kod henüz etkin değil",
      text: "Daha ileri bir tarihte çalışmaya başlayacak. O zaman yeniden deneyin.",
    },
    expired: { title: "Bu kodun süresi doldu", text: "Yalnızca belirli bir süre geçerliydi." },
    suspended: {
      title: "Bu kod devre dışı bırakıldı",
      text: "Kodu bu hizmetin yöneticisi devre dışı bıraktı. Cihazınızda veya bağlantınızda bir sorun yok.",
    },
    noCode: {
      title: "Bu adreste bir kod yok",
      text: "Adreste yazım hatası olup olmadığını kontrol edin veya kodu yeniden tarayın.",
    },
    unavailable: {
      title: "Bu kod şu anda açılamıyor",
      text: "Sorun bizden kaynaklanıyor, kodda bir sorun yok. Birkaç saniye sonra yeniden deneyin.",
    },
  },
  domains: {
    pending: {
      title: "Bu adres henüz hazır değil",
      text: "Sahibi hâlâ ayarlıyor. Daha sonra tekrar deneyin.",
    },
    suspended: {
      title: "Bu adres devre dışı bırakıldı",
      text: "Bu hizmetin işletmecisi devre dışı bıraktı. Cihazınızda ve bağlantınızda sorun yok.",
    },
    removed: {
      title: "Bu adres artık kullanılmıyor",
      text: "Sahibi artık kullanmıyor. Yenisini sahibine sorun.",
    },
  },
  pages: {
    missing: {
      title: "Böyle bir sayfa yok",
      text: "Silinmiş olabilir. Adresi elle yazdıysanız yazım hatası olup olmadığını kontrol edin.",
    },
    suspended: {
      title: "Bu sayfa devre dışı bırakıldı",
      text: "Sayfayı bu hizmetin yöneticisi devre dışı bıraktı. Cihazınızda veya bağlantınızda bir sorun yok.",
    },
    unavailable: {
      title: "Bu sayfa şu anda açılamıyor",
      text: "Sorun bizden kaynaklanıyor. Birkaç saniye sonra yeniden deneyin.",
    },
  },
  apps: {
    message: { title: "Mesaj gönder", open: "Mesajları aç" },
    mail: { title: "E-posta yaz", open: "E-postayı aç" },
    to: "Alıcı",
    subject: "Konu",
  },
  contact: {
    save: "Kişiyi kaydet",
    phones: {
      mobile: "Cep",
      work: "İş",
      home: "Ev",
      fax: "Faks",
      other: "Telefon",
    },
    extension: (digits) => `dahili ${digits}`,
    email: "E-posta",
    website: "Web sitesi",
    address: "Adres",
  },
  abuse: {
    title: { code: "QR kodunu bildir", page: "Sayfayı bildir" },
    intro: {
      code: "Kod zararlı bir yere mi yönlendiriyor? Bu hizmetin yöneticisine haber verin. Kodun sahibi bildiriminizi görmez, IP adresiniz de kaydedilmez.",
      page: "Bu sayfa zararlı mı? Bu hizmetin yöneticisine haber verin. Sayfanın sahibi bildiriminizi görmez, IP adresiniz de kaydedilmez.",
    },
    code: {
      label: "Kod",
      hint: "Kodun yanında yazan adres veya adresin son eğik çizgisinden sonraki bölüm",
      problem: "Bir kodun adresini veya adresin son eğik çizgisinden sonraki bölümünü girin.",
    },
    reason: "Sorun nedir?",
    reasons: {
      phishing: "Kimlik avı: parola veya para istiyor",
      malware: "Zararlı yazılım",
      spam: "İstenmeyen içerik veya reklam",
      illegal_content: "Yasa dışı içerik",
      other: "Başka bir şey",
    },
    details: {
      label: "Ayrıntılar (isteğe bağlı)",
      hint: (maxCharacters) => `Ne oldu, ne zaman oldu? En fazla ${maxCharacters} karakter`,
    },
    email: { label: "E-posta adresiniz (isteğe bağlı)", hint: "Bildiriminizle ilgili sorular için" },
    send: "Bildirimi gönder",
    notices: {
      invalid: "Bildiriminiz henüz gönderilmedi. İşaretli alanları kontrol edin.",
      limited: "Ağınızdan çok fazla bildirim gönderildi. Bir dakika bekleyip yeniden deneyin.",
      unavailable: "Bildiriminiz kaydedilemedi. Yeniden gönderin.",
    },
    sent: {
      title: "Bildiriminiz için teşekkürler",
      text: "Bu hizmetin yöneticisi bildiriminizi inceleyecek.",
      advice: "Parolanızı girdiyseniz değiştirin. Kart numaranızı girdiyseniz bankanıza haber verin.",
    },
  },
};
