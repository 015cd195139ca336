import type { Texts } from "./texts.ts";

export const de: Texts = {
  send: "Absenden",
  thanks: "Vielen Dank, Ihre Antworten sind angekommen.",
  required: "Felder mit * sind Pflichtfelder.",
  leaveEmpty: "Bitte leer lassen",
  closed: "Dieses Formular ist geschlossen und nimmt keine Antworten mehr an.",
  notSent: (pageTitle) => `Nicht gesendet: ${pageTitle}`,
  notices: {
    invalid: "Ihre Antworten wurden noch nicht gesendet. Bitte prüfen Sie die markierten Felder.",
    trapped:
      "Ihre Antworten wurden noch nicht gesendet. Ihr Browser oder ein Passwortmanager hat ein verborgenes Feld ausgefüllt, das vor Spam schützt. Bitte senden Sie sie noch einmal ab.",
    early:
      "Das ging sehr schnell. Zum Schutz vor Spam wurden Ihre Antworten noch nicht gesendet. Bitte senden Sie sie noch einmal ab.",
    expired:
      "Das Formular war lange geöffnet. Ihre Antworten sind noch da: Bitte senden Sie sie noch einmal ab.",
    limited:
      "Aus Ihrem Netzwerk kamen zu viele Formulare. Bitte warten Sie eine Minute und versuchen Sie es noch einmal.",
    limitedToday:
      "Aus Ihrem Netzwerk kamen heute zu viele Formulare. Bitte versuchen Sie es morgen noch einmal.",
    unavailable: "Ihre Antworten konnten nicht gespeichert werden. Bitte senden Sie sie noch einmal ab.",
  },
  problems: {
    missing: "Bitte füllen Sie dieses Feld aus.",
    unchecked: "Bitte setzen Sie hier ein Häkchen.",
    characters: "Hier sind Zeichen enthalten, die nicht erlaubt sind.",
    email: "Bitte geben Sie eine E-Mail-Adresse ein.",
    option: "Bitte wählen Sie eine der Möglichkeiten aus.",
    phone: "Bitte geben Sie eine Telefonnummer mit Ländervorwahl ein, zum Beispiel +49\u00a030\u00a0901820.",
    tooLong: (maxCharacters) => `Bitte geben Sie höchstens ${maxCharacters} Zeichen ein.`,
  },
  reportPage: "Diese Seite melden",
  reportCode: "Diesen Code melden",
  codes: {
    missing: {
      title: "Dieser Code führt ins Leere",
      text: "Vielleicht wurde er gelöscht. Falls Sie die Adresse eingetippt haben, prüfen Sie sie bitte auf Tippfehler.",
    },
    paused: {
      title: "Dieser Code ist pausiert",
      text: "Er ist zurzeit nicht verfügbar. Bitte versuchen Sie es später noch einmal.",
    },
    notStarted: {
      title: "Dieser Code ist noch nicht gültig",
      text: "Er wird erst später freigeschaltet. Bitte versuchen Sie es dann noch einmal.",
    },
    expired: {
      title: "Dieser Code ist abgelaufen",
      text: "Er war nur für begrenzte Zeit gültig.",
    },
    suspended: {
      title: "Dieser Code wurde gesperrt",
      text: "Der Betreiber dieses Dienstes hat ihn gesperrt. Mit Ihrem Gerät und Ihrer Verbindung ist alles in Ordnung.",
    },
    noCode: {
      title: "Unter dieser Adresse gibt es keinen Code",
      text: "Bitte prüfen Sie die Adresse auf Tippfehler oder scannen Sie den Code noch einmal.",
    },
    unavailable: {
      title: "Dieser Code lässt sich gerade nicht öffnen",
      text: "Das liegt an uns, der Code ist in Ordnung. Bitte versuchen Sie es in ein paar Sekunden noch einmal.",
    },
  },
  domains: {
    pending: {
      title: "Diese Adresse ist noch nicht bereit",
      text: "Sie wird gerade eingerichtet. Versuchen Sie es später noch einmal.",
    },
    suspended: {
      title: "Diese Adresse wurde gesperrt",
      text: "Der Betreiber dieses Dienstes hat sie gesperrt. Mit Ihrem Gerät und Ihrer Verbindung ist alles in Ordnung.",
    },
    removed: {
      title: "Diese Adresse wird nicht mehr verwendet",
      text: "Ihr Inhaber verwendet sie nicht mehr. Fragen Sie dort nach der neuen.",
    },
  },
  pages: {
    missing: {
      title: "Diese Seite gibt es nicht",
      text: "Vielleicht wurde sie gelöscht. Falls Sie die Adresse eingetippt haben, prüfen Sie sie bitte auf Tippfehler.",
    },
    suspended: {
      title: "Diese Seite wurde gesperrt",
      text: "Der Betreiber dieses Dienstes hat sie gesperrt. Mit Ihrem Gerät und Ihrer Verbindung ist alles in Ordnung.",
    },
    unavailable: {
      title: "Diese Seite lässt sich gerade nicht öffnen",
      text: "Das liegt an uns. Bitte versuchen Sie es in ein paar Sekunden noch einmal.",
    },
  },
  apps: {
    message: { title: "Nachricht senden", open: "Nachrichten öffnen" },
    mail: { title: "E-Mail schreiben", open: "E-Mail-App öffnen" },
    to: "An",
    subject: "Betreff",
  },
  contact: {
    save: "Kontakt speichern",
    phones: {
      mobile: "Mobil",
      work: "Büro",
      home: "Privat",
      fax: "Fax",
      other: "Telefon",
    },
    extension: (digits) => `Durchwahl ${digits}`,
    email: "E-Mail",
    website: "Website",
    address: "Adresse",
  },
  abuse: {
    title: { code: "QR-Code melden", page: "Seite melden" },
    intro: {
      code: "Führt der Code zu etwas Schädlichem? Sagen Sie es dem Betreiber dieses Dienstes. Der Besitzer des Codes sieht Ihre Meldung nicht, und Ihre IP-Adresse wird nicht gespeichert.",
      page: "Ist diese Seite schädlich? Sagen Sie es dem Betreiber dieses Dienstes. Der Besitzer der Seite sieht Ihre Meldung nicht, und Ihre IP-Adresse wird nicht gespeichert.",
    },
    code: {
      label: "Adresse des Codes",
      hint: "Die Adresse, die beim Code steht, oder der Teil nach dem letzten Schrägstrich",
      problem: "Bitte geben Sie die Adresse eines Codes ein oder den Teil nach dem letzten Schrägstrich.",
    },
    reason: "Was stimmt damit nicht?",
    reasons: {
      phishing: "Phishing: fragt nach Passwörtern oder Geld",
      malware: "Schadsoftware",
      spam: "Spam oder unerwünschte Werbung",
      illegal_content: "Illegale Inhalte",
      other: "Etwas anderes",
    },
    details: {
      label: "Einzelheiten (freiwillig)",
      hint: (maxCharacters) => `Was ist passiert, und wann? Höchstens ${maxCharacters} Zeichen`,
    },
    email: { label: "Ihre E-Mail-Adresse (freiwillig)", hint: "Für Rückfragen zu Ihrer Meldung" },
    send: "Meldung absenden",
    notices: {
      invalid: "Ihre Meldung wurde noch nicht gesendet. Bitte prüfen Sie die markierten Felder.",
      limited:
        "Aus Ihrem Netzwerk kamen zu viele Meldungen. Bitte warten Sie eine Minute und versuchen Sie es noch einmal.",
      unavailable: "Ihre Meldung konnte nicht gespeichert werden. Bitte senden Sie sie noch einmal ab.",
    },
    sent: {
      title: "Danke für Ihre Meldung",
      text: "Der Betreiber dieses Dienstes sieht sie sich an.",
      advice:
        "Haben Sie ein Passwort eingegeben? Dann ändern Sie es. Haben Sie eine Kartennummer eingegeben? Dann verständigen Sie Ihre Bank.",
    },
  },
};
