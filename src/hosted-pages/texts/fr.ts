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
  codes: {
    missing: {
      title: "Ce code ne mène nulle part",
      text: "Son propriétaire l’a peut-être supprimé. Si vous avez saisi l’adresse, veuillez vérifier qu’elle ne contient pas d’erreur.",
    },
    paused: {
      title: "Ce code est en pause",
      text: "Son propriétaire l’a mis en pause pour le moment. Veuillez réessayer plus tard.",
    },
    notStarted: {
      title: "Ce code n’est pas encore actif",
      text: "Son propriétaire a fixé la date à partir de laquelle il fonctionne. Veuillez réessayer plus tard.",
    },
    expired: {
      title: "Ce code a expiré",
      text: "La période pendant laquelle son propriétaire voulait qu’il fonctionne est terminée.",
    },
    suspended: {
      title: "Ce code a été désactivé",
      text: "L’exploitant de ce service l’a désactivé. Votre appareil et votre connexion ne sont pas en cause.",
    },
  },
  apps: {
    message: { title: "Envoyer un message", open: "Ouvrir l’application de messages" },
    mail: { title: "Écrire un e-mail", open: "Ouvrir l’application d’e-mail" },
    to: "À",
    subject: "Objet",
  },
};
