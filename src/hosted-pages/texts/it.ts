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
  codes: {
    missing: {
      title: "Questo codice non porta da nessuna parte",
      text: "È possibile che il proprietario lo abbia rimosso. Se l’indirizzo è stato digitato, verificare che non contenga errori.",
    },
    paused: {
      title: "Questo codice è in pausa",
      text: "Il proprietario lo ha messo in pausa per il momento. Riprovare più tardi.",
    },
    notStarted: {
      title: "Questo codice non è ancora attivo",
      text: "Il proprietario ha stabilito da quando funziona. Riprovare più tardi.",
    },
    expired: {
      title: "Questo codice è scaduto",
      text: "Il periodo in cui il proprietario voleva che funzionasse è terminato.",
    },
    suspended: {
      title: "Questo codice è stato disattivato",
      text: "Il gestore di questo servizio lo ha disattivato. Il dispositivo e la connessione funzionano correttamente.",
    },
  },
  apps: {
    message: { title: "Invia un messaggio", open: "Apri i messaggi" },
    mail: { title: "Scrivi un’e-mail", open: "Apri la posta" },
    to: "A",
    subject: "Oggetto",
  },
};
