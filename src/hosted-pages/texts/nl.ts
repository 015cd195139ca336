import type { Texts } from "./texts.ts";

export const nl: Texts = {
  send: "Versturen",
  thanks: "Bedankt. Uw antwoorden zijn verstuurd.",
  required: "Velden met een * zijn verplicht.",
  leaveEmpty: "Laat dit veld leeg",
  closed: "Dit formulier is gesloten: het maximale aantal antwoorden is bereikt.",
  notSent: (pageTitle) => `Niet verstuurd: ${pageTitle}`,
  notices: {
    invalid: "Uw antwoorden zijn nog niet verstuurd. Controleer de gemarkeerde velden.",
    early:
      "Dat ging erg snel, daarom zijn uw antwoorden nog niet verstuurd. Controleer ze en verstuur ze daarna opnieuw.",
    expired:
      "Dit formulier heeft lang opengestaan. Uw antwoorden zijn bewaard gebleven: verstuur ze nog een keer.",
    limited:
      "Er zijn te veel formulieren vanaf uw netwerk verstuurd. Wacht een minuut en probeer het dan opnieuw.",
    limitedToday:
      "Er zijn vandaag te veel formulieren vanaf uw netwerk verstuurd. Probeer het morgen opnieuw.",
    unavailable: "Uw antwoorden konden niet worden opgeslagen. Verstuur ze nog een keer.",
  },
  problems: {
    missing: "Vul dit veld in.",
    unticked: "Vink dit vakje aan.",
    characters: "Dit veld bevat tekens die niet zijn toegestaan.",
    email: "Vul een e-mailadres in.",
    option: "Kies een van de opties.",
    phone: "Vul een telefoonnummer met landcode in, bijvoorbeeld +49\u00a030\u00a0901820.",
    tooLong: (maxCharacters) => `Gebruik maximaal ${maxCharacters} tekens.`,
  },
  reportPage: "Deze pagina melden",
  reportCode: "Deze code melden",
  codes: {
    missing: {
      title: "Deze code leidt nergens heen",
      text: "Misschien heeft de eigenaar hem verwijderd. Hebt u het adres ingetypt, controleer het dan op typefouten.",
    },
    paused: {
      title: "Deze code is gepauzeerd",
      text: "De eigenaar heeft hem voorlopig gepauzeerd. Probeer het later opnieuw.",
    },
    notStarted: {
      title: "Deze code is nog niet actief",
      text: "De eigenaar heeft bepaald vanaf wanneer hij werkt. Probeer het later opnieuw.",
    },
    expired: {
      title: "Deze code is verlopen",
      text: "De periode waarin hij volgens de eigenaar moest werken, is voorbij.",
    },
    suspended: {
      title: "Deze code is uitgeschakeld",
      text: "De beheerder van deze dienst heeft hem uitgeschakeld. Er is niets mis met uw apparaat of uw verbinding.",
    },
  },
  apps: {
    message: { title: "Een bericht sturen", open: "Berichten openen" },
    mail: { title: "Een e-mail schrijven", open: "E-mail openen" },
    to: "Aan",
    subject: "Onderwerp",
  },
};
