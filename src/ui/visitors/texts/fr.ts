import type { Texts } from "./texts.ts";

// The spaces before colons and question marks are no-break spaces.
export const fr: Texts = {
  send: "Envoyer",
  thanks: "Merci, vos réponses ont bien été envoyées.",
  required: "Les champs marqués d’un * sont obligatoires.",
  leaveEmpty: "Laissez ce champ vide",
  closed: "Ce formulaire est fermé et n’accepte plus de réponses.",
  notSent: (pageTitle) => `Non envoyé\u00a0: ${pageTitle}`,
  notices: {
    invalid: "Vos réponses n’ont pas encore été envoyées. Vérifiez les champs signalés.",
    trapped:
      "Vos réponses n’ont pas encore été envoyées. Votre navigateur ou un gestionnaire de mots de passe a rempli un champ caché qui protège du spam. Envoyez-les de nouveau.",
    early:
      "Vous avez été très rapide. Par précaution contre le spam, vos réponses n’ont pas encore été envoyées. Envoyez-les de nouveau.",
    expired:
      "Ce formulaire est resté ouvert longtemps. Vos réponses sont toujours là\u00a0: envoyez-les de nouveau.",
    limited: "Trop de formulaires ont été envoyés depuis votre réseau. Patientez une minute, puis réessayez.",
    limitedToday: "Trop de formulaires ont été envoyés aujourd’hui depuis votre réseau. Réessayez demain.",
    unavailable: "Vos réponses n’ont pas pu être enregistrées. Envoyez-les de nouveau.",
  },
  problems: {
    missing: "Remplissez ce champ.",
    unchecked: "Cochez cette case.",
    characters: "Ce champ contient des caractères non autorisés.",
    email: "Saisissez une adresse e-mail.",
    option: "Choisissez l’une des options.",
    phone: "Saisissez un numéro de téléphone avec l’indicatif du pays, par exemple +49\u00a030\u00a0901820.",
    tooLong: (maxCharacters) => `Ne dépassez pas ${maxCharacters} caractères.`,
  },
  reportPage: "Signaler cette page",
  reportCode: "Signaler ce code",
  codes: {
    missing: {
      title: "Ce code ne mène nulle part",
      text: "Il a peut-être été supprimé. Si vous avez saisi l’adresse à la main, vérifiez qu’elle est correcte.",
    },
    paused: {
      title: "Ce code est en pause",
      text: "Il n’est pas disponible pour le moment. Réessayez plus tard.",
    },
    notStarted: {
      title: "Ce code n’est pas encore actif",
      text: "Il sera actif plus tard. Réessayez dans quelque temps.",
    },
    expired: { title: "Ce code a expiré", text: "Il n’était valable que pour une durée limitée." },
    suspended: {
      title: "Ce code a été désactivé",
      text: "L’exploitant de ce service l’a désactivé. Votre appareil et votre connexion ne sont pas en cause.",
    },
    noCode: {
      title: "Aucun code à cette adresse",
      text: "Vérifiez que l’adresse est correcte, ou scannez de nouveau le code.",
    },
    unavailable: {
      title: "Impossible d’ouvrir ce code pour le moment",
      text: "Le problème vient de chez nous, pas du code. Réessayez dans quelques secondes.",
    },
  },
  domains: {
    pending: {
      title: "Cette adresse n’est pas encore prête",
      text: "Son propriétaire la configure encore. Réessayez plus tard.",
    },
    suspended: {
      title: "Cette adresse a été désactivée",
      text: "L’opérateur de ce service l’a désactivée. Votre appareil et votre connexion fonctionnent bien.",
    },
    removed: {
      title: "Cette adresse n’est plus utilisée",
      text: "Son propriétaire ne l’utilise plus. Demandez-lui la nouvelle.",
    },
  },
  pages: {
    missing: {
      title: "Cette page n’existe pas",
      text: "Elle a peut-être été supprimée. Si vous avez saisi l’adresse à la main, vérifiez qu’elle est correcte.",
    },
    suspended: {
      title: "Cette page a été désactivée",
      text: "L’exploitant de ce service l’a désactivée. Votre appareil et votre connexion ne sont pas en cause.",
    },
    unavailable: {
      title: "Impossible d’ouvrir cette page pour le moment",
      text: "Le problème vient de chez nous. Réessayez dans quelques secondes.",
    },
  },
  apps: {
    message: { title: "Envoyer un message", open: "Ouvrir la messagerie" },
    mail: { title: "Écrire un e-mail", open: "Ouvrir l’application d’e-mail" },
    to: "À",
    subject: "Objet",
  },
  contact: {
    save: "Enregistrer le contact",
    phones: {
      mobile: "Mobile",
      work: "Bureau",
      home: "Domicile",
      fax: "Fax",
      other: "Téléphone",
    },
    extension: (digits) => `poste ${digits}`,
    email: "E-mail",
    website: "Site web",
    address: "Adresse",
  },
  abuse: {
    title: { code: "Signaler un code QR", page: "Signaler une page" },
    intro: {
      code: "Ce code mène à un contenu dangereux\u00a0? Prévenez l’exploitant de ce service. Le propriétaire du code ne verra pas votre signalement, et votre adresse IP n’est pas enregistrée.",
      page: "Cette page est dangereuse\u00a0? Prévenez l’exploitant de ce service. Le propriétaire de la page ne verra pas votre signalement, et votre adresse IP n’est pas enregistrée.",
    },
    code: {
      label: "Adresse du code",
      hint: "L’adresse imprimée avec le code, ou ce qui suit sa dernière barre oblique",
      problem: "Saisissez l’adresse d’un code, ou ce qui suit sa dernière barre oblique.",
    },
    reason: "Quel est le problème\u00a0?",
    reasons: {
      phishing: "Hameçonnage\u00a0: demande de mots de passe ou d’argent",
      malware: "Logiciel malveillant",
      spam: "Spam ou publicité indésirable",
      illegal_content: "Contenu illégal",
      other: "Autre chose",
    },
    details: {
      label: "Détails (facultatif)",
      hint: (maxCharacters) => `Que s’est-il passé, et quand\u00a0? ${maxCharacters} caractères au maximum`,
    },
    email: {
      label: "Votre adresse e-mail (facultatif)",
      hint: "Au cas où nous aurions des questions sur votre signalement",
    },
    send: "Envoyer le signalement",
    notices: {
      invalid: "Votre signalement n’a pas encore été envoyé. Vérifiez les champs signalés.",
      limited:
        "Trop de signalements ont été envoyés depuis votre réseau. Patientez une minute, puis réessayez.",
      unavailable: "Votre signalement n’a pas pu être enregistré. Envoyez-le de nouveau.",
    },
    sent: {
      title: "Merci pour votre signalement",
      text: "L’exploitant de ce service va l’examiner.",
      advice:
        "Si vous avez saisi un mot de passe, changez-le. Si vous avez saisi un numéro de carte, prévenez votre banque.",
    },
  },
};
