import type { Texts } from "./texts.ts";

// Worded to be natural both in Brazil and in Portugal.
export const pt: Texts = {
  send: "Enviar",
  thanks: "Agradecemos as suas respostas. Já foram enviadas.",
  required: "Os campos marcados com * são obrigatórios.",
  leaveEmpty: "Deixe este campo vazio",
  closed: "Este formulário está fechado e não aceita mais respostas.",
  notSent: (pageTitle) => `Não enviado: ${pageTitle}`,
  notices: {
    invalid: "As suas respostas ainda não foram enviadas. Verifique os campos assinalados.",
    trapped:
      "As suas respostas ainda não foram enviadas. O seu navegador ou um gestor de palavras-passe preencheu um campo oculto que protege contra spam. Envie-as novamente.",
    early:
      "O envio foi muito rápido. Para evitar spam, as suas respostas ainda não foram enviadas. Envie-as novamente.",
    expired:
      "Este formulário ficou aberto durante muito tempo. As suas respostas continuam aqui: envie-as novamente.",
    limited: "Foram enviados formulários demais a partir da sua rede. Aguarde um minuto e tente novamente.",
    limitedToday: "Hoje foram enviados formulários demais a partir da sua rede. Tente novamente amanhã.",
    unavailable: "Não foi possível receber as suas respostas. Envie-as novamente.",
  },
  problems: {
    missing: "Preencha este campo.",
    unchecked: "Marque esta caixa.",
    characters: "Este campo contém caracteres não permitidos.",
    email: "Indique um endereço de e-mail.",
    option: "Escolha uma das opções.",
    phone: "Indique um número de telefone com o código do país, por exemplo, +49\u00a030\u00a0901820.",
    tooLong: (maxCharacters) => `Use no máximo ${maxCharacters} caracteres.`,
  },
  reportPage: "Denunciar esta página",
  reportCode: "Denunciar este código",
  codes: {
    missing: {
      title: "Este código não leva a lugar nenhum",
      text: "Talvez tenha sido removido. Se digitou o endereço, verifique se está correto.",
    },
    paused: {
      title: "Este código está em pausa",
      text: "Não está disponível neste momento. Tente novamente mais tarde.",
    },
    notStarted: {
      title: "Este código ainda não está ativo",
      text: "Só vai funcionar a partir de outra data. Tente novamente mais tarde.",
    },
    expired: {
      title: "Este código expirou",
      text: "Era válido apenas por tempo limitado.",
    },
    suspended: {
      title: "Este código foi desativado",
      text: "Foi desativado pelo operador deste serviço. O seu dispositivo e a sua internet não têm nenhum problema.",
    },
    noCode: {
      title: "Não há nenhum código neste endereço",
      text: "Verifique se o endereço está correto ou leia o código novamente.",
    },
    unavailable: {
      title: "Não é possível abrir este código agora",
      text: "O problema é nosso e não do código. Tente novamente em alguns segundos.",
    },
  },
  domains: {
    pending: {
      title: "Este endereço ainda não está pronto",
      text: "O proprietário ainda o está a configurar. Tente novamente mais tarde.",
    },
    suspended: {
      title: "Este endereço foi desativado",
      text: "O operador deste serviço desativou-o. O seu dispositivo e a sua ligação estão bem.",
    },
    removed: {
      title: "Este endereço já não é usado",
      text: "O proprietário deixou de o usar. Peça-lhe o novo.",
    },
  },
  pages: {
    missing: {
      title: "Esta página não existe",
      text: "Talvez tenha sido removida. Se digitou o endereço, verifique se está correto.",
    },
    suspended: {
      title: "Esta página foi desativada",
      text: "Foi desativada pelo operador deste serviço. O seu dispositivo e a sua internet não têm nenhum problema.",
    },
    unavailable: {
      title: "Não é possível abrir esta página agora",
      text: "O problema é nosso. Tente novamente em alguns segundos.",
    },
  },
  apps: {
    message: { title: "Enviar uma mensagem", open: "Abrir as mensagens" },
    mail: { title: "Escrever um e-mail", open: "Abrir o e-mail" },
    to: "Para",
    subject: "Assunto",
  },
  contact: {
    save: "Adicionar à agenda",
    phones: {
      mobile: "Móvel",
      work: "Trabalho",
      home: "Casa",
      fax: "Fax",
      other: "Telefone",
    },
    extension: (digits) => `ext. ${digits}`,
    email: "E-mail",
    website: "Site",
    address: "Endereço",
  },
  abuse: {
    title: { code: "Denunciar um código QR", page: "Denunciar uma página" },
    intro: {
      code: "Leva a algo prejudicial? Avise o operador deste serviço. O proprietário do código não verá a sua denúncia e o seu endereço IP não fica guardado.",
      page: "É prejudicial? Avise o operador deste serviço. O proprietário da página não verá a sua denúncia e o seu endereço IP não fica guardado.",
    },
    code: {
      label: "Código",
      hint: "O endereço impresso junto ao código, ou a parte depois da última barra",
      problem: "Indique o endereço de um código, ou a parte depois da última barra.",
    },
    reason: "Qual é o problema?",
    reasons: {
      phishing: "Phishing: pede senhas ou dinheiro",
      malware: "Programa malicioso",
      spam: "Spam ou publicidade indesejada",
      illegal_content: "Conteúdo ilegal",
      other: "Outro problema",
    },
    details: {
      label: "Detalhes (opcional)",
      hint: (maxCharacters) => `O que aconteceu, e quando? No máximo ${maxCharacters} caracteres`,
    },
    email: {
      label: "O seu endereço de e-mail (opcional)",
      hint: "Para perguntas sobre a sua denúncia",
    },
    send: "Enviar a denúncia",
    notices: {
      invalid: "A sua denúncia ainda não foi enviada. Verifique os campos assinalados.",
      limited: "Foram enviadas denúncias demais a partir da sua rede. Aguarde um minuto e tente novamente.",
      unavailable: "Não foi possível receber a sua denúncia. Envie-a novamente.",
    },
    sent: {
      title: "Agradecemos a sua denúncia",
      text: "O operador deste serviço vai analisá-la.",
      advice: "Se indicou uma senha, mude-a. Se indicou um número de cartão, avise o seu banco.",
    },
  },
};
