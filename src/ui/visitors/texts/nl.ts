import type { Texts } from "./texts.ts";

export const nl: Texts = {
  send: "Versturen",
  thanks: "Bedankt, uw antwoorden zijn verstuurd.",
  required: "Velden met een * zijn verplicht.",
  leaveEmpty: "Laat dit veld leeg",
  closed: "Dit formulier is gesloten. U kunt geen antwoorden meer insturen.",
  notSent: (pageTitle) => `Niet verstuurd: ${pageTitle}`,
  notices: {
    invalid: "Uw antwoorden zijn nog niet verstuurd. Controleer de gemarkeerde velden.",
    trapped:
      "Uw antwoorden zijn nog niet verstuurd. Uw browser of een wachtwoordbeheerder heeft een verborgen veld ingevuld dat spam tegengaat. Verstuur ze nog een keer.",
    early:
      "Dat ging erg snel. Om spam tegen te gaan zijn uw antwoorden nog niet verstuurd. Verstuur ze nog een keer.",
    expired: "Dit formulier heeft lang opengestaan. Uw antwoorden staan er nog: verstuur ze nog een keer.",
    limited:
      "Er zijn te veel formulieren vanaf uw netwerk verstuurd. Wacht een minuut en probeer het opnieuw.",
    limitedToday:
      "Er zijn vandaag te veel formulieren vanaf uw netwerk verstuurd. Probeer het morgen opnieuw.",
    unavailable: "Uw antwoorden konden niet worden opgeslagen. Verstuur ze nog een keer.",
  },
  problems: {
    missing: "Vul dit veld in.",
    unchecked: "Vink dit vakje aan.",
    characters: "Hier staan tekens in die niet zijn toegestaan.",
    email: "Vul een e-mailadres in.",
    option: "Kies een van de opties.",
    phone: "Vul een telefoonnummer met landcode in, bijvoorbeeld +49\u00a030\u00a0901820.",
    tooLong: (maxCharacters) => `Gebruik maximaal ${maxCharacters} tekens.`,
  },
  reportPage: "Deze pagina melden",
  reportCode: "Deze code melden",
  codes: {
    missing: {
      title: "Deze code leidt nergens naartoe",
      text: "Misschien is hij verwijderd. Hebt u het adres ingetypt? Controleer het dan op typefouten.",
    },
    paused: {
      title: "Deze code is gepauzeerd",
      text: "Hij is op dit moment niet beschikbaar. Probeer het later opnieuw.",
    },
    notStarted: {
      title: "Deze code is nog niet actief",
      text: "Hij werkt pas vanaf een latere datum. Probeer het dan opnieuw.",
    },
    expired: {
      title: "Deze code is verlopen",
      text: "Hij was maar voor een beperkte tijd geldig.",
    },
    suspended: {
      title: "Deze code is uitgeschakeld",
      text: "De beheerder van deze dienst heeft hem uitgeschakeld. Er is niets mis met uw toestel of uw verbinding.",
    },
    noCode: {
      title: "Op dit adres staat geen code",
      text: "Controleer het adres op typefouten, of scan de code opnieuw.",
    },
    unavailable: {
      title: "Deze code kan nu niet worden geopend",
      text: "Dat ligt aan ons, de code is in orde. Probeer het over een paar seconden opnieuw.",
    },
  },
  domains: {
    pending: {
      title: "Dit adres is nog niet klaar",
      text: "De eigenaar is het nog aan het instellen. Probeer het later opnieuw.",
    },
    suspended: {
      title: "Dit adres is uitgeschakeld",
      text: "De beheerder van deze dienst heeft het uitgeschakeld. Met je apparaat en je verbinding is niets mis.",
    },
    removed: {
      title: "Dit adres is niet meer in gebruik",
      text: "De eigenaar gebruikt het niet meer. Vraag naar het nieuwe adres.",
    },
  },
  pages: {
    missing: {
      title: "Deze pagina bestaat niet",
      text: "Misschien is hij verwijderd. Hebt u het adres ingetypt? Controleer het dan op typefouten.",
    },
    suspended: {
      title: "Deze pagina is uitgeschakeld",
      text: "De beheerder van deze dienst heeft hem uitgeschakeld. Er is niets mis met uw toestel of uw verbinding.",
    },
    unavailable: {
      title: "Deze pagina kan nu niet worden geopend",
      text: "Dat ligt aan ons. Probeer het over een paar seconden opnieuw.",
    },
  },
  apps: {
    message: { title: "Een bericht sturen", open: "Berichten openen" },
    mail: { title: "Een e-mail schrijven", open: "E-mail openen" },
    to: "Aan",
    subject: "Onderwerp",
  },
  contact: {
    save: "Contact opslaan",
    phones: {
      mobile: "Mobiel",
      work: "Werk",
      home: "Thuis",
      fax: "Fax",
      other: "Telefoon",
    },
    extension: (digits) => `toestel ${digits}`,
    email: "E-mail",
    website: "Website",
    address: "Adres",
  },
  abuse: {
    title: { code: "Een QR-code melden", page: "Een pagina melden" },
    intro: {
      code: "Leidt de code naar iets schadelijks? Laat het de beheerder van deze dienst weten. De eigenaar van de code krijgt uw melding niet te zien en uw IP-adres wordt niet opgeslagen.",
      page: "Is deze pagina schadelijk? Laat het de beheerder van deze dienst weten. De eigenaar van de pagina krijgt uw melding niet te zien en uw IP-adres wordt niet opgeslagen.",
    },
    code: {
      label: "Adres van de code",
      hint: "Het adres dat bij de code staat, of wat er na de laatste schuine streep komt",
      problem: "Vul het adres van een code in, of wat er na de laatste schuine streep komt.",
    },
    reason: "Wat is er mis mee?",
    reasons: {
      phishing: "Phishing: vraagt om wachtwoorden of geld",
      malware: "Schadelijke software",
      spam: "Spam of ongewenste reclame",
      illegal_content: "Illegale inhoud",
      other: "Iets anders",
    },
    details: {
      label: "Toelichting (optioneel)",
      hint: (maxCharacters) => `Wat is er gebeurd, en wanneer? Maximaal ${maxCharacters} tekens`,
    },
    email: { label: "Uw e-mailadres (optioneel)", hint: "Voor vragen over uw melding" },
    send: "Melding versturen",
    notices: {
      invalid: "Uw melding is nog niet verstuurd. Controleer de gemarkeerde velden.",
      limited:
        "Er zijn te veel meldingen vanaf uw netwerk verstuurd. Wacht een minuut en probeer het opnieuw.",
      unavailable: "Uw melding kon niet worden opgeslagen. Verstuur hem nog een keer.",
    },
    sent: {
      title: "Bedankt voor uw melding",
      text: "De beheerder van deze dienst gaat ernaar kijken.",
      advice:
        "Hebt u een wachtwoord ingevuld? Wijzig het dan. Hebt u een kaartnummer ingevuld? Neem dan contact op met uw bank.",
    },
  },
};
