import type { Texts } from "./texts.ts";

export const en: Texts = {
  send: "Send",
  thanks: "Thank you. Your answers have been sent.",
  required: "Fields marked with * are required.",
  leaveEmpty: "Leave this empty",
  closed: "This form is closed: it has received as many answers as it can take.",
  notSent: (pageTitle) => `Not sent: ${pageTitle}`,
  notices: {
    invalid: "Your answers were not sent yet. Please check the marked fields.",
    early: "That was quick, so your answers were not sent yet. Please check them, then send them again.",
    expired: "This form was open for a long time. Your answers are kept: please send them again.",
    limited: "Too many forms were sent from your network. Please wait a minute, then send it again.",
    limitedToday: "Too many forms were sent from your network today. Please send it again tomorrow.",
    unavailable: "Your answers could not be saved. Please send them again.",
  },
  problems: {
    missing: "This must be filled in.",
    unticked: "This must be ticked.",
    characters: "This contains characters that are not allowed.",
    email: "This must be an e-mail address.",
    option: "This must be one of the options.",
    phone: "This must be a phone number with its country code, such as +49\u00a030\u00a0901820.",
    tooLong: (maxCharacters) => `This must be at most ${maxCharacters} characters.`,
  },
  reportPage: "Report this page",
  reportCode: "Report this code",
  codes: {
    missing: {
      title: "This code leads nowhere",
      text: "It may have been removed by its owner. If you typed the address, please check it for a mistake.",
    },
    paused: {
      title: "This code is paused",
      text: "Its owner has paused it for now. Please try again later.",
    },
    notStarted: {
      title: "This code is not active yet",
      text: "Its owner has set a date from which it works. Please try again later.",
    },
    expired: {
      title: "This code has expired",
      text: "The time in which its owner wanted it to work is over.",
    },
    suspended: {
      title: "This code has been switched off",
      text: "The operator of this service has switched it off. There is nothing wrong with your device or your connection.",
    },
  },
  apps: {
    message: { title: "Send a message", open: "Open messages" },
    mail: { title: "Write an e-mail", open: "Open mail" },
    to: "To",
    subject: "Subject",
  },
};
