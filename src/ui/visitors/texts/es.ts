import type { Texts } from "./texts.ts";

// Worded to be natural both in Spain and in Latin America.
export const es: Texts = {
  send: "Enviar",
  thanks: "Gracias. Hemos recibido sus respuestas.",
  required: "Los campos marcados con * son obligatorios.",
  leaveEmpty: "Deje este campo vacío",
  closed: "Este formulario está cerrado y ya no admite respuestas.",
  notSent: (pageTitle) => `No enviado: ${pageTitle}`,
  notices: {
    invalid: "Sus respuestas aún no se han enviado. Revise los campos señalados.",
    trapped:
      "Sus respuestas aún no se han enviado. Su navegador o un gestor de contraseñas ha rellenado un campo oculto que protege del correo no deseado. Envíelas de nuevo.",
    early:
      "Ha sido muy rápido. Para evitar el correo no deseado, sus respuestas aún no se han enviado. Envíelas de nuevo.",
    expired: "Este formulario ha estado abierto mucho tiempo. Sus respuestas siguen aquí: envíelas de nuevo.",
    limited: "Se han enviado demasiados formularios desde su red. Espere un minuto e inténtelo de nuevo.",
    limitedToday: "Hoy se han enviado demasiados formularios desde su red. Inténtelo de nuevo mañana.",
    unavailable: "No hemos podido guardar sus respuestas. Envíelas de nuevo.",
  },
  problems: {
    missing: "Complete este campo.",
    unchecked: "Marque esta casilla.",
    characters: "Este campo contiene caracteres no permitidos.",
    email: "Escriba una dirección de correo electrónico.",
    option: "Elija una de las opciones.",
    phone: "Escriba un número de teléfono con el código del país, por ejemplo, +49\u00a030\u00a0901820.",
    tooLong: (maxCharacters) => `Escriba ${maxCharacters} caracteres como máximo.`,
  },
  reportPage: "Denunciar esta página",
  reportCode: "Denunciar este código",
  codes: {
    missing: {
      title: "Este código no lleva a ninguna parte",
      text: "Es posible que se haya eliminado. Si ha escrito la dirección a mano, compruebe que sea correcta.",
    },
    paused: {
      title: "Este código está en pausa",
      text: "No está disponible en este momento. Inténtelo de nuevo más tarde.",
    },
    notStarted: {
      title: "Este código aún no está activo",
      text: "Empezará a funcionar más adelante. Inténtelo de nuevo entonces.",
    },
    expired: {
      title: "Este código ha caducado",
      text: "Solo era válido durante un tiempo limitado.",
    },
    suspended: {
      title: "Este código se ha desactivado",
      text: "Lo ha desactivado el operador de este servicio. No hay ningún problema con su dispositivo ni con su conexión.",
    },
    noCode: {
      title: "No hay ningún código en esta dirección",
      text: "Compruebe que la dirección sea correcta o escanee el código de nuevo.",
    },
    unavailable: {
      title: "Este código no se puede abrir en este momento",
      text: "El problema es nuestro; el código está bien. Inténtelo de nuevo en unos segundos.",
    },
  },
  domains: {
    pending: {
      title: "Esta dirección aún no está lista",
      text: "Su propietario todavía la está configurando. Inténtalo más tarde.",
    },
    suspended: {
      title: "Esta dirección se ha desactivado",
      text: "El operador de este servicio la ha desactivado. Tu dispositivo y tu conexión funcionan bien.",
    },
    removed: {
      title: "Esta dirección ya no se usa",
      text: "Su propietario ha dejado de usarla. Pídele la nueva.",
    },
  },
  pages: {
    missing: {
      title: "Esta página no existe",
      text: "Es posible que se haya eliminado. Si ha escrito la dirección a mano, compruebe que sea correcta.",
    },
    suspended: {
      title: "Esta página se ha desactivado",
      text: "La ha desactivado el operador de este servicio. No hay ningún problema con su dispositivo ni con su conexión.",
    },
    unavailable: {
      title: "Esta página no se puede abrir en este momento",
      text: "El problema es nuestro. Inténtelo de nuevo en unos segundos.",
    },
  },
  apps: {
    message: { title: "Enviar un mensaje", open: "Abrir los mensajes" },
    mail: { title: "Escribir un correo", open: "Abrir el correo" },
    to: "Para",
    subject: "Asunto",
  },
  contact: {
    save: "Guardar contacto",
    phones: {
      mobile: "Móvil",
      work: "Trabajo",
      home: "Casa",
      fax: "Fax",
      other: "Teléfono",
    },
    extension: (digits) => `ext. ${digits}`,
    email: "Correo electrónico",
    website: "Sitio web",
    address: "Dirección",
  },
  abuse: {
    title: { code: "Denunciar un código QR", page: "Denunciar una página" },
    intro: {
      code: "¿Lleva a algo dañino? Avise al operador de este servicio. El propietario del código no verá su denuncia y su dirección IP no se guarda.",
      page: "¿Es dañina? Avise al operador de este servicio. El propietario de la página no verá su denuncia y su dirección IP no se guarda.",
    },
    code: {
      label: "Dirección del código",
      hint: "La dirección impresa junto al código, o lo que sigue a su última barra",
      problem: "Escriba la dirección de un código, o lo que sigue a su última barra.",
    },
    reason: "¿Cuál es el problema?",
    reasons: {
      phishing: "Phishing: pide contraseñas o dinero",
      malware: "Software malicioso",
      spam: "Publicidad no deseada",
      illegal_content: "Contenido ilegal",
      other: "Otro problema",
    },
    details: {
      label: "Detalles (opcional)",
      hint: (maxCharacters) => `¿Qué ocurrió y cuándo? Máximo: ${maxCharacters} caracteres`,
    },
    email: {
      label: "Su correo electrónico (opcional)",
      hint: "Por si hay preguntas sobre su denuncia",
    },
    send: "Enviar la denuncia",
    notices: {
      invalid: "Su denuncia aún no se ha enviado. Revise los campos señalados.",
      limited: "Se han enviado demasiadas denuncias desde su red. Espere un minuto e inténtelo de nuevo.",
      unavailable: "No hemos podido guardar su denuncia. Envíela de nuevo.",
    },
    sent: {
      title: "Gracias por avisar",
      text: "El operador de este servicio revisará su denuncia.",
      advice: "Si escribió una contraseña, cámbiela. Si escribió un número de tarjeta, avise a su banco.",
    },
  },
};
