import type { Texts } from "./texts.ts";

// The spaces before colons are no-break spaces.
export const fr: Texts = {
  send: "Envoyer",
  thanks: "Merci. Vos réponses ont été envoyées.",
  required: "Les champs marqués d’un * sont obligatoires.",
  leaveEmpty: "Laissez ce champ vide",
  closed: "Ce formulaire est fermé\u00a0: il a reçu le nombre maximal de réponses.",
  notSent: (pageTitle) => `Non envoyé\u00a0: ${pageTitle}`,
  notices: {
    invalid: "Vos réponses n’ont pas encore été envoyées. Veuillez vérifier les champs signalés.",
    early:
      "L’envoi a été très rapide\u00a0: vos réponses n’ont donc pas encore été transmises. Veuillez les vérifier, puis les envoyer de nouveau.",
    expired:
      "Ce formulaire est resté ouvert longtemps. Vos réponses sont conservées\u00a0: veuillez les envoyer de nouveau.",
    limited:
      "Trop de formulaires ont été envoyés depuis votre réseau. Veuillez patienter une minute, puis réessayer.",
    limitedToday:
      "Trop de formulaires ont été envoyés aujourd’hui depuis votre réseau. Veuillez réessayer demain.",
    unavailable: "Vos réponses n’ont pas pu être enregistrées. Veuillez les envoyer de nouveau.",
  },
  problems: {
    missing: "Veuillez remplir ce champ.",
    unticked: "Veuillez cocher cette case.",
    characters: "Ce champ contient des caractères non autorisés.",
    email: "Veuillez saisir une adresse e-mail.",
    option: "Veuillez choisir l’une des options.",
    phone:
      "Veuillez saisir un numéro de téléphone avec l’indicatif du pays, par exemple +49\u00a030\u00a0901820.",
    tooLong: (maxCharacters) => `Ce champ est limité à ${maxCharacters} caractères.`,
  },
  reportPage: "Signaler cette page",
  reportCode: "Signaler ce code",
  apps: {
    message: { title: "Envoyer un message", open: "Ouvrir l’application de messages" },
    mail: { title: "Écrire un e-mail", open: "Ouvrir l’application d’e-mail" },
    to: "À\u00a0:",
    subject: "Objet\u00a0:",
  },
};
