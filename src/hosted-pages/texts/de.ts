import type { Texts } from "./texts.ts";

export const de: Texts = {
  send: "Senden",
  thanks: "Vielen Dank. Ihre Angaben wurden gesendet.",
  required: "Mit * gekennzeichnete Felder sind Pflichtfelder.",
  leaveEmpty: "Bitte leer lassen",
  closed: "Dieses Formular ist geschlossen: Die Höchstzahl an Antworten ist erreicht.",
  notSent: (pageTitle) => `Nicht gesendet: ${pageTitle}`,
  notices: {
    invalid: "Ihre Angaben wurden noch nicht gesendet. Bitte prüfen Sie die markierten Felder.",
    early:
      "Das ging sehr schnell, deshalb wurden Ihre Angaben noch nicht gesendet. Bitte prüfen Sie sie und senden Sie sie dann noch einmal.",
    expired:
      "Dieses Formular war lange geöffnet. Ihre Angaben sind erhalten geblieben: Bitte senden Sie sie noch einmal.",
    limited:
      "Aus Ihrem Netzwerk wurden zu viele Formulare gesendet. Bitte warten Sie eine Minute und senden Sie das Formular dann noch einmal.",
    limitedToday:
      "Aus Ihrem Netzwerk wurden heute zu viele Formulare gesendet. Bitte senden Sie das Formular morgen noch einmal.",
    unavailable: "Ihre Angaben konnten nicht gespeichert werden. Bitte senden Sie sie noch einmal.",
  },
  problems: {
    missing: "Bitte füllen Sie dieses Feld aus.",
    unticked: "Bitte setzen Sie hier ein Häkchen.",
    characters: "Dieses Feld enthält unzulässige Zeichen.",
    email: "Bitte geben Sie eine E-Mail-Adresse ein.",
    option: "Bitte wählen Sie eine der Möglichkeiten aus.",
    phone: "Bitte geben Sie eine Telefonnummer mit Ländervorwahl ein, zum Beispiel +49\u00a030\u00a0901820.",
    tooLong: (maxCharacters) => `Hier sind höchstens ${maxCharacters} Zeichen möglich.`,
  },
  reportPage: "Diese Seite melden",
  reportCode: "Diesen Code melden",
  codes: {
    missing: {
      title: "Dieser Code führt nirgendwohin",
      text: "Vielleicht wurde er von seinem Besitzer entfernt. Wenn Sie die Adresse eingetippt haben, prüfen Sie sie bitte auf Tippfehler.",
    },
    paused: {
      title: "Dieser Code ist pausiert",
      text: "Sein Besitzer hat ihn vorübergehend pausiert. Bitte versuchen Sie es später noch einmal.",
    },
    notStarted: {
      title: "Dieser Code ist noch nicht aktiv",
      text: "Sein Besitzer hat festgelegt, ab wann er funktioniert. Bitte versuchen Sie es später noch einmal.",
    },
    expired: {
      title: "Dieser Code ist abgelaufen",
      text: "Die Zeit, in der er nach dem Willen seines Besitzers funktionieren sollte, ist vorbei.",
    },
    suspended: {
      title: "Dieser Code wurde abgeschaltet",
      text: "Der Betreiber dieses Dienstes hat ihn abgeschaltet. Mit Ihrem Gerät und Ihrer Verbindung ist alles in Ordnung.",
    },
  },
  apps: {
    message: { title: "Nachricht senden", open: "Nachrichten öffnen" },
    mail: { title: "E-Mail schreiben", open: "E-Mail-App öffnen" },
    to: "An",
    subject: "Betreff",
  },
};
