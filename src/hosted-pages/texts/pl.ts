import type { Texts } from "./texts.ts";

export const pl: Texts = {
  send: "Wyślij",
  thanks: "Dziękujemy. Odpowiedzi zostały wysłane.",
  required: "Pola oznaczone gwiazdką (*) są wymagane.",
  leaveEmpty: "Pozostaw to pole puste",
  closed: "Ten formularz jest zamknięty: osiągnięto maksymalną liczbę odpowiedzi.",
  notSent: (pageTitle) => `Nie wysłano: ${pageTitle}`,
  notices: {
    invalid: "Odpowiedzi nie zostały jeszcze wysłane. Prosimy sprawdzić zaznaczone pola.",
    early:
      "Formularz wypełniono bardzo szybko, dlatego odpowiedzi nie zostały jeszcze wysłane. Prosimy je sprawdzić i wysłać ponownie.",
    expired: "Ten formularz był długo otwarty. Odpowiedzi zostały zachowane: prosimy wysłać je ponownie.",
    limited:
      "Z tej sieci wysłano zbyt wiele formularzy. Prosimy odczekać minutę i wysłać formularz ponownie.",
    limitedToday: "Z tej sieci wysłano dziś zbyt wiele formularzy. Prosimy wysłać formularz ponownie jutro.",
    unavailable: "Nie udało się zapisać odpowiedzi. Prosimy wysłać je ponownie.",
  },
  problems: {
    missing: "Prosimy wypełnić to pole.",
    unticked: "Prosimy zaznaczyć to pole.",
    characters: "To pole zawiera niedozwolone znaki.",
    email: "Prosimy podać adres e-mail.",
    option: "Prosimy wybrać jedną z opcji.",
    phone: "Prosimy podać numer telefonu z numerem kierunkowym kraju, na przykład +49\u00a030\u00a0901820.",
    tooLong: (maxCharacters) => `Maksymalna liczba znaków: ${maxCharacters}.`,
  },
  reportPage: "Zgłoś tę stronę",
  reportCode: "Zgłoś ten kod",
  codes: {
    missing: {
      title: "Ten kod donikąd nie prowadzi",
      text: "Być może usunął go właściciel. Jeśli adres został wpisany ręcznie, prosimy sprawdzić, czy nie ma w nim błędu.",
    },
    paused: {
      title: "Ten kod jest wstrzymany",
      text: "Właściciel na razie go wstrzymał. Prosimy spróbować później.",
    },
    notStarted: {
      title: "Ten kod nie jest jeszcze aktywny",
      text: "Właściciel ustalił, od kiedy kod działa. Prosimy spróbować później.",
    },
    expired: { title: "Ten kod wygasł", text: "Czas, w którym kod miał działać, już minął." },
    suspended: {
      title: "Ten kod został wyłączony",
      text: "Wyłączył go operator tej usługi. Urządzenie i połączenie działają prawidłowo.",
    },
  },
  apps: {
    message: { title: "Wyślij wiadomość", open: "Otwórz wiadomości" },
    mail: { title: "Napisz e-mail", open: "Otwórz pocztę" },
    to: "Do",
    subject: "Temat",
  },
};
