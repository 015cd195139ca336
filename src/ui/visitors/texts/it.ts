import type { Texts } from "./texts.ts";

export const it: Texts = {
  send: "Invia",
  thanks: "Grazie, le tue risposte sono state inviate.",
  required: "I campi contrassegnati con * sono obbligatori.",
  leaveEmpty: "Lascia vuoto questo campo",
  closed: "Questo modulo è chiuso e non accetta più risposte.",
  notSent: (pageTitle) => `Non inviato: ${pageTitle}`,
  notices: {
    invalid: "Le tue risposte non sono ancora state inviate. Controlla i campi evidenziati.",
    trapped:
      "Le tue risposte non sono ancora state inviate. Il browser o un gestore di password ha compilato un campo nascosto che protegge dallo spam. Inviale di nuovo.",
    early:
      "Hai fatto molto in fretta. Per evitare lo spam, le tue risposte non sono ancora state inviate. Inviale di nuovo.",
    expired: "Questo modulo è rimasto aperto a lungo. Le tue risposte sono ancora qui: inviale di nuovo.",
    limited: "Dalla tua rete sono stati inviati troppi moduli. Attendi un minuto e riprova.",
    limitedToday: "Oggi dalla tua rete sono stati inviati troppi moduli. Riprova domani.",
    unavailable: "Non è stato possibile salvare le tue risposte. Inviale di nuovo.",
  },
  problems: {
    missing: "Compila questo campo.",
    unchecked: "Seleziona questa casella.",
    characters: "Questo campo contiene caratteri non consentiti.",
    email: "Inserisci un indirizzo e-mail.",
    option: "Scegli una delle opzioni.",
    phone:
      "Inserisci un numero di telefono con il prefisso internazionale, ad esempio +49\u00a030\u00a0901820.",
    tooLong: (maxCharacters) => `Inserisci al massimo ${maxCharacters} caratteri.`,
  },
  reportPage: "Segnala questa pagina",
  reportCode: "Segnala questo codice",
  codes: {
    missing: {
      title: "Questo codice non porta da nessuna parte",
      text: "Forse è stato eliminato. Se hai digitato l’indirizzo, controlla che sia corretto.",
    },
    paused: {
      title: "Questo codice è in pausa",
      text: "Al momento non è disponibile. Riprova più tardi.",
    },
    notStarted: {
      title: "Questo codice non è ancora attivo",
      text: "Sarà attivo più avanti. Riprova tra qualche tempo.",
    },
    expired: {
      title: "Questo codice è scaduto",
      text: "Era valido solo per un periodo limitato.",
    },
    suspended: {
      title: "Questo codice è stato disattivato",
      text: "Lo ha disattivato il gestore di questo servizio. Il tuo dispositivo e la tua connessione funzionano correttamente.",
    },
    noCode: {
      title: "A questo indirizzo non c’è nessun codice",
      text: "Controlla che l’indirizzo sia corretto oppure scansiona di nuovo il codice.",
    },
    unavailable: {
      title: "Al momento non è possibile aprire questo codice",
      text: "Il problema è nostro, il codice è a posto. Riprova tra qualche secondo.",
    },
  },
  domains: {
    pending: {
      title: "Questo indirizzo non è ancora pronto",
      text: "Il proprietario lo sta ancora configurando. Riprova più tardi.",
    },
    suspended: {
      title: "Questo indirizzo è stato disattivato",
      text: "Il gestore di questo servizio lo ha disattivato. Il dispositivo e la connessione funzionano correttamente.",
    },
    removed: {
      title: "Questo indirizzo non è più in uso",
      text: "Il proprietario non lo usa più. Chiedigli quello nuovo.",
    },
  },
  pages: {
    missing: {
      title: "Questa pagina non esiste",
      text: "Forse è stata eliminata. Se hai digitato l’indirizzo, controlla che sia corretto.",
    },
    suspended: {
      title: "Questa pagina è stata disattivata",
      text: "L’ha disattivata il gestore di questo servizio. Il tuo dispositivo e la tua connessione funzionano correttamente.",
    },
    unavailable: {
      title: "Al momento non è possibile aprire questa pagina",
      text: "Il problema è nostro. Riprova tra qualche secondo.",
    },
  },
  apps: {
    message: { title: "Invia un messaggio", open: "Apri i messaggi" },
    mail: { title: "Scrivi un’e-mail", open: "Apri la posta" },
    to: "A",
    subject: "Oggetto",
  },
  contact: {
    save: "Salva contatto",
    phones: {
      mobile: "Cellulare",
      work: "Lavoro",
      home: "Casa",
      fax: "Fax",
      other: "Telefono",
    },
    extension: (digits) => `int. ${digits}`,
    email: "E-mail",
    website: "Sito web",
    address: "Indirizzo",
  },
  abuse: {
    title: { code: "Segnala un codice QR", page: "Segnala una pagina" },
    intro: {
      code: "Porta a qualcosa di dannoso? Avvisa il gestore di questo servizio. Il proprietario del codice non vedrà la tua segnalazione e il tuo indirizzo IP non viene salvato.",
      page: "È dannosa? Avvisa il gestore di questo servizio. Il proprietario della pagina non vedrà la tua segnalazione e il tuo indirizzo IP non viene salvato.",
    },
    code: {
      label: "Codice",
      hint: "L’indirizzo stampato accanto al codice, o la parte dopo l’ultima barra",
      problem: "Inserisci l’indirizzo di un codice, o la parte dopo l’ultima barra.",
    },
    reason: "Che cosa non va?",
    reasons: {
      phishing: "Phishing: chiede password o denaro",
      malware: "Software dannoso",
      spam: "Spam o pubblicità indesiderata",
      illegal_content: "Contenuti illegali",
      other: "Altro",
    },
    details: {
      label: "Dettagli (facoltativo)",
      hint: (maxCharacters) => `Che cosa è successo, e quando? Massimo ${maxCharacters} caratteri`,
    },
    email: {
      label: "Il tuo indirizzo e-mail (facoltativo)",
      hint: "Per eventuali domande sulla tua segnalazione",
    },
    send: "Invia la segnalazione",
    notices: {
      invalid: "La tua segnalazione non è ancora stata inviata. Controlla i campi evidenziati.",
      limited: "Dalla tua rete sono state inviate troppe segnalazioni. Attendi un minuto e riprova.",
      unavailable: "Non è stato possibile salvare la tua segnalazione. Inviala di nuovo.",
    },
    sent: {
      title: "Grazie per la segnalazione",
      text: "Il gestore di questo servizio la esaminerà.",
      advice:
        "Se hai inserito una password, cambiala. Se hai inserito un numero di carta, avvisa la tua banca.",
    },
  },
};
