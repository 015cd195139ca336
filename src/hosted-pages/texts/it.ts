import type { Texts } from "./texts.ts";

export const it: Texts = {
  send: "Invia",
  thanks: "Grazie. Le risposte sono state inviate.",
  required: "I campi contrassegnati con * sono obbligatori.",
  leaveEmpty: "Lasciare vuoto questo campo",
  closed: "Questo modulo è chiuso: ha ricevuto il numero massimo di risposte.",
  notSent: (pageTitle) => `Non inviato: ${pageTitle}`,
  notices: {
    invalid: "Le risposte non sono ancora state inviate. Controllare i campi evidenziati.",
    early:
      "La compilazione è stata molto rapida, perciò le risposte non sono ancora state inviate. Controllarle e inviarle di nuovo.",
    expired: "Questo modulo è rimasto aperto a lungo. Le risposte sono state conservate: inviarle di nuovo.",
    limited: "Da questa rete sono stati inviati troppi moduli. Attendere un minuto, poi riprovare.",
    limitedToday: "Da questa rete oggi sono stati inviati troppi moduli. Riprovare domani.",
    unavailable: "Non è stato possibile salvare le risposte. Inviarle di nuovo.",
  },
  problems: {
    missing: "Compilare questo campo.",
    unticked: "Selezionare questa casella.",
    characters: "Questo campo contiene caratteri non consentiti.",
    email: "Inserire un indirizzo e-mail.",
    option: "Scegliere una delle opzioni.",
    phone:
      "Inserire un numero di telefono con il prefisso internazionale, ad esempio +49\u00a030\u00a0901820.",
    tooLong: (maxCharacters) => `Sono consentiti al massimo ${maxCharacters} caratteri.`,
  },
  reportPage: "Segnala questa pagina",
  reportCode: "Segnala questo codice",
  apps: {
    message: { title: "Invia un messaggio", open: "Apri i messaggi" },
    mail: { title: "Scrivi un’e-mail", open: "Apri la posta" },
    to: "A:",
    subject: "Oggetto:",
  },
};
