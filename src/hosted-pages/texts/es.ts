import type { Texts } from "./texts.ts";

export const es: Texts = {
  send: "Enviar",
  thanks: "Gracias. Sus respuestas se han enviado.",
  required: "Los campos marcados con * son obligatorios.",
  leaveEmpty: "Deje este campo vacío",
  closed: "Este formulario está cerrado: ha recibido el número máximo de respuestas.",
  notSent: (pageTitle) => `No enviado: ${pageTitle}`,
  notices: {
    invalid: "Sus respuestas aún no se han enviado. Revise los campos señalados.",
    early: "Ha sido muy rápido, así que sus respuestas aún no se han enviado. Revíselas y envíelas de nuevo.",
    expired:
      "Este formulario ha estado abierto mucho tiempo. Sus respuestas se han conservado: envíelas de nuevo.",
    limited:
      "Se han enviado demasiados formularios desde su red. Espere un minuto y envíe el formulario de nuevo.",
    limitedToday: "Hoy se han enviado demasiados formularios desde su red. Envíe el formulario mañana.",
    unavailable: "Sus respuestas no se han podido guardar. Envíelas de nuevo.",
  },
  problems: {
    missing: "Rellene este campo.",
    unticked: "Marque esta casilla.",
    characters: "Este campo contiene caracteres no permitidos.",
    email: "Escriba una dirección de correo electrónico.",
    option: "Elija una de las opciones.",
    phone: "Escriba un número de teléfono con el prefijo del país, por ejemplo, +49\u00a030\u00a0901820.",
    tooLong: (maxCharacters) => `El máximo es de ${maxCharacters} caracteres.`,
  },
  reportPage: "Denunciar esta página",
  reportCode: "Denunciar este código",
  codes: {
    missing: {
      title: "Este código no lleva a ninguna parte",
      text: "Es posible que su propietario lo haya eliminado. Si ha escrito la dirección, compruebe que no tenga errores.",
    },
    paused: {
      title: "Este código está en pausa",
      text: "Su propietario lo ha pausado por ahora. Inténtelo de nuevo más tarde.",
    },
    notStarted: {
      title: "Este código aún no está activo",
      text: "Su propietario ha fijado la fecha a partir de la cual funciona. Inténtelo de nuevo más tarde.",
    },
    expired: {
      title: "Este código ha caducado",
      text: "El plazo en el que su propietario quería que funcionara ha terminado.",
    },
    suspended: {
      title: "Este código ha sido desactivado",
      text: "El operador de este servicio lo ha desactivado. Su dispositivo y su conexión funcionan bien.",
    },
  },
  apps: {
    message: { title: "Enviar un mensaje", open: "Abrir los mensajes" },
    mail: { title: "Escribir un correo", open: "Abrir el correo" },
    to: "Para",
    subject: "Asunto",
  },
};
