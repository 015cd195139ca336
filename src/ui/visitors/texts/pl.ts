import type { Texts } from "./texts.ts";

export const pl: Texts = {
  send: "Wyślij",
  thanks: "Dziękujemy, Twoje odpowiedzi zostały wysłane.",
  required: "Pola oznaczone gwiazdką (*) są wymagane.",
  leaveEmpty: "Pozostaw to pole puste",
  closed: "Ten formularz jest zamknięty i nie przyjmuje już odpowiedzi.",
  notSent: (pageTitle) => `Nie wysłano: ${pageTitle}`,
  notices: {
    invalid: "Twoje odpowiedzi nie zostały jeszcze wysłane. Sprawdź zaznaczone pola.",
    trapped:
      "Twoje odpowiedzi nie zostały jeszcze wysłane. Przeglądarka lub menedżer haseł wypełnił ukryte pole, które chroni przed spamem. Wyślij je ponownie.",
    early:
      "To było bardzo szybko. Ze względu na ochronę przed spamem odpowiedzi nie zostały jeszcze wysłane. Wyślij je ponownie.",
    expired: "Ten formularz był długo otwarty. Twoje odpowiedzi nadal tu są: wyślij je ponownie.",
    limited: "Z Twojej sieci wysłano zbyt wiele formularzy. Odczekaj minutę i spróbuj ponownie.",
    limitedToday: "Z Twojej sieci wysłano dziś zbyt wiele formularzy. Spróbuj ponownie jutro.",
    unavailable: "Nie udało się zapisać odpowiedzi. Wyślij je ponownie.",
  },
  problems: {
    missing: "Wypełnij to pole.",
    unchecked: "Zaznacz to pole.",
    characters: "To pole zawiera niedozwolone znaki.",
    email: "Podaj adres e-mail.",
    option: "Wybierz jedną z opcji.",
    phone: "Podaj numer telefonu z numerem kierunkowym kraju, na przykład +49\u00a030\u00a0901820.",
    tooLong: (maxCharacters) => `Maksymalna liczba znaków: ${maxCharacters}.`,
  },
  reportPage: "Zgłoś tę stronę",
  reportCode: "Zgłoś ten kod",
  codes: {
    missing: {
      title: "Ten kod donikąd nie prowadzi",
      text: "Możliwe, że został usunięty. Jeśli adres został wpisany ręcznie, sprawdź, czy nie ma w nim błędu.",
    },
    paused: {
      title: "Ten kod jest wstrzymany",
      text: "Obecnie jest niedostępny. Spróbuj ponownie później.",
    },
    notStarted: {
      title: "Ten kod nie jest jeszcze aktywny",
      text: "Zacznie działać w późniejszym terminie. Spróbuj ponownie później.",
    },
    expired: { title: "Ten kod wygasł", text: "Był ważny tylko przez określony czas." },
    suspended: {
      title: "Ten kod został wyłączony",
      text: "Wyłączył go operator tej usługi. Twoje urządzenie i połączenie działają prawidłowo.",
    },
    noCode: {
      title: "Pod tym adresem nie ma kodu",
      text: "Sprawdź, czy w adresie nie ma błędu, albo zeskanuj kod ponownie.",
    },
    unavailable: {
      title: "Nie można teraz otworzyć tego kodu",
      text: "Problem leży po naszej stronie, kod jest w porządku. Spróbuj ponownie za kilka sekund.",
    },
  },
  domains: {
    pending: {
      title: "Ten adres nie jest jeszcze gotowy",
      text: "Właściciel dopiero go konfiguruje. Spróbuj ponownie później.",
    },
    suspended: {
      title: "Ten adres został wyłączony",
      text: "Operator tej usługi go wyłączył. Twoje urządzenie i połączenie działają prawidłowo.",
    },
    removed: {
      title: "Ten adres nie jest już używany",
      text: "Właściciel już go nie używa. Zapytaj o nowy.",
    },
  },
  pages: {
    missing: {
      title: "Ta strona nie istnieje",
      text: "Możliwe, że została usunięta. Jeśli adres został wpisany ręcznie, sprawdź, czy nie ma w nim błędu.",
    },
    suspended: {
      title: "Ta strona została wyłączona",
      text: "Wyłączył ją operator tej usługi. Twoje urządzenie i połączenie działają prawidłowo.",
    },
    unavailable: {
      title: "Nie można teraz otworzyć tej strony",
      text: "Problem leży po naszej stronie. Spróbuj ponownie za kilka sekund.",
    },
  },
  apps: {
    message: { title: "Wyślij wiadomość", open: "Otwórz wiadomości" },
    mail: { title: "Napisz e-mail", open: "Otwórz pocztę" },
    to: "Do",
    subject: "Temat",
  },
  contact: {
    save: "Zapisz kontakt",
    phones: {
      mobile: "Komórka",
      work: "Praca",
      home: "Dom",
      fax: "Faks",
      other: "Telefon",
    },
    extension: (digits) => `wew. ${digits}`,
    email: "E-mail",
    website: "Strona internetowa",
    address: "Adres",
  },
  abuse: {
    title: { code: "Zgłoś kod QR", page: "Zgłoś stronę" },
    intro: {
      code: "Kod prowadzi do czegoś szkodliwego? Powiadom operatora tej usługi. Właściciel kodu nie zobaczy zgłoszenia, a Twój adres IP nie zostanie zapisany.",
      page: "Ta strona jest szkodliwa? Powiadom operatora tej usługi. Właściciel strony nie zobaczy zgłoszenia, a Twój adres IP nie zostanie zapisany.",
    },
    code: {
      label: "Kod",
      hint: "Adres wydrukowany przy kodzie albo to, co następuje po ostatnim ukośniku",
      problem: "Podaj adres kodu albo to, co następuje po ostatnim ukośniku.",
    },
    reason: "Co jest nie tak?",
    reasons: {
      phishing: "Phishing: prosi o hasła lub pieniądze",
      malware: "Szkodliwe oprogramowanie",
      spam: "Spam lub niechciane reklamy",
      illegal_content: "Nielegalne treści",
      other: "Coś innego",
    },
    details: {
      label: "Szczegóły (opcjonalnie)",
      hint: (maxCharacters) => `Co się stało i kiedy? Maksymalna liczba znaków: ${maxCharacters}`,
    },
    email: { label: "Twój adres e-mail (opcjonalnie)", hint: "Na wypadek pytań dotyczących zgłoszenia" },
    send: "Wyślij zgłoszenie",
    notices: {
      invalid: "Zgłoszenie nie zostało jeszcze wysłane. Sprawdź zaznaczone pola.",
      limited: "Z Twojej sieci wysłano zbyt wiele zgłoszeń. Odczekaj minutę i spróbuj ponownie.",
      unavailable: "Nie udało się zapisać zgłoszenia. Wyślij je ponownie.",
    },
    sent: {
      title: "Dziękujemy za zgłoszenie",
      text: "Operator tej usługi zajmie się nim.",
      advice:
        "Jeśli zostało podane hasło, zmień je. Jeśli został podany numer karty, skontaktuj się ze swoim bankiem.",
    },
  },
};
