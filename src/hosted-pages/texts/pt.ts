import type { Texts } from "./texts.ts";

// Worded to be natural both in Brazil and in Portugal.
export const pt: Texts = {
  send: "Enviar",
  thanks: "Obrigado. As suas respostas foram enviadas.",
  required: "Os campos marcados com * são obrigatórios.",
  leaveEmpty: "Deixe este campo vazio",
  closed: "Este formulário está fechado: atingiu o número máximo de respostas.",
  notSent: (pageTitle) => `Não enviado: ${pageTitle}`,
  notices: {
    invalid: "As suas respostas ainda não foram enviadas. Verifique os campos assinalados.",
    early:
      "O preenchimento foi muito rápido, por isso as suas respostas ainda não foram enviadas. Verifique-as e envie-as novamente.",
    expired:
      "Este formulário ficou aberto durante muito tempo. As suas respostas foram mantidas: envie-as novamente.",
    limited: "Foram enviados muitos formulários a partir da sua rede. Aguarde um minuto e envie novamente.",
    limitedToday: "Hoje foram enviados muitos formulários a partir da sua rede. Envie novamente amanhã.",
    unavailable: "Não foi possível receber as suas respostas. Envie-as novamente.",
  },
  problems: {
    missing: "Preencha este campo.",
    unticked: "Marque esta caixa.",
    characters: "Este campo contém caracteres não permitidos.",
    email: "Indique um endereço de e-mail.",
    option: "Escolha uma das opções.",
    phone: "Indique um número de telefone com o código do país, por exemplo, +49\u00a030\u00a0901820.",
    tooLong: (maxCharacters) => `O máximo é de ${maxCharacters} caracteres.`,
  },
  reportPage: "Denunciar esta página",
  reportCode: "Denunciar este código",
  codes: {
    missing: {
      title: "Este código não leva a lugar nenhum",
      text: "É possível que o proprietário o tenha removido. Se digitou o endereço, verifique se há algum erro.",
    },
    paused: {
      title: "Este código está em pausa",
      text: "O proprietário colocou-o em pausa por enquanto. Tente novamente mais tarde.",
    },
    notStarted: {
      title: "Este código ainda não está ativo",
      text: "O proprietário definiu a data a partir da qual ele funciona. Tente novamente mais tarde.",
    },
    expired: {
      title: "Este código expirou",
      text: "O período em que o proprietário queria que ele funcionasse terminou.",
    },
    suspended: {
      title: "Este código foi desativado",
      text: "O operador deste serviço desativou-o. Não há nenhum problema com o seu dispositivo ou a sua ligação.",
    },
  },
  apps: {
    message: { title: "Enviar uma mensagem", open: "Abrir as mensagens" },
    mail: { title: "Escrever um e-mail", open: "Abrir o e-mail" },
    to: "Para",
    subject: "Assunto",
  },
};
