import type { Texts } from "./texts.ts";

export const en: Texts = {
  send: "Send",
  thanks: "Thank you. Your answers have been sent.",
  required: "Fields marked with * are required.",
  leaveEmpty: "Leave this field empty",
  closed: "This form is closed.",
  notSent: (pageTitle) => `Not sent: ${pageTitle}`,
  notices: {
    invalid: "Your answers haven't been sent yet. Check the marked fields.",
    trapped:
      "Your answers haven't been sent yet. Your browser or a password manager filled in a hidden field that keeps out spam. Send them again.",
    early: "That was quick. To keep out spam, your answers haven't been sent yet. Send them again.",
    expired: "This form was open for a long time. Your answers are still here: send them again.",
    limited: "Too many forms were sent from your network. Wait a minute, then send it again.",
    limitedToday: "Too many forms were sent from your network today. Send it again tomorrow.",
    unavailable: "Your answers couldn't be saved. Send them again.",
  },
  problems: {
    missing: "Fill in this field.",
    unchecked: "Tick this box.",
    characters: "This contains characters that can't be used here.",
    email: "Enter an email address.",
    option: "Choose one of the options.",
    phone: "Enter a phone number with its country code, such as +49\u00a030\u00a0901820.",
    tooLong: (maxCharacters) => `Use at most ${maxCharacters} characters.`,
  },
  reportPage: "Report this page",
  reportCode: "Report this code",
  codes: {
    missing: {
      title: "This code doesn't lead anywhere",
      text: "It may have been deleted. If you typed the address, check it for typos.",
    },
    paused: { title: "This code is paused", text: "It isn't available right now. Try again later." },
    notStarted: {
      title: "This code isn't active yet",
      text: "It isn't active yet. Try again later.",
    },
    expired: { title: "This code has expired", text: "It was valid for a limited time." },
    suspended: {
      title: "This code has been disabled",
      text: "The operator of this service disabled it. Your device and your connection are fine.",
    },
    noCode: {
      title: "There's no code at this address",
      text: "Check the address for typos, or scan the code again.",
    },
    unavailable: {
      title: "This code can't be opened right now",
      text: "The problem is on our side, and the code is fine. Try again in a few seconds.",
    },
  },
  domains: {
    pending: {
      title: "This address isn't ready yet",
      text: "Its owner is still setting it up. Try again later.",
    },
    suspended: {
      title: "This address has been disabled",
      text: "The operator of this service disabled it. Your device and your connection are fine.",
    },
    removed: {
      title: "This address is no longer in use",
      text: "Its owner has stopped using it. Ask them for the new one.",
    },
  },
  pages: {
    missing: {
      title: "This page doesn't exist",
      text: "It may have been deleted. If you typed the address, check it for typos.",
    },
    suspended: {
      title: "This page has been disabled",
      text: "The operator of this service disabled it. Your device and your connection are fine.",
    },
    unavailable: {
      title: "This page can't be opened right now",
      text: "The problem is on our side. Try again in a few seconds.",
    },
  },
  apps: {
    message: { title: "Send a message", open: "Open messages" },
    mail: { title: "Write an email", open: "Open mail" },
    to: "To",
    subject: "Subject",
  },
  contact: {
    save: "Save contact",
    phones: {
      mobile: "Mobile",
      work: "Work",
      home: "Home",
      fax: "Fax",
      other: "Phone",
    },
    extension: (digits) => `ext. ${digits}`,
    email: "Email",
    website: "Website",
    address: "Address",
  },
  abuse: {
    title: { code: "Report a QR code", page: "Report a page" },
    intro: {
      code: "Does it lead to something harmful? Tell the operator of this service. The code's owner won't see your report, and your IP address isn't stored.",
      page: "Is it harmful? Tell the operator of this service. The page's owner won't see your report, and your IP address isn't stored.",
    },
    code: {
      label: "Code",
      hint: "The address printed with the code, or the part after its last slash",
      problem: "Enter the address of a code, or the part after its last slash.",
    },
    reason: "What's wrong with it?",
    reasons: {
      phishing: "Phishing: it asks for passwords or money",
      malware: "Harmful software",
      spam: "Spam",
      illegal_content: "Illegal content",
      other: "Something else",
    },
    details: {
      label: "Details (optional)",
      hint: (maxCharacters) => `What happened, and when? Up to ${maxCharacters} characters`,
    },
    email: { label: "Your email address (optional)", hint: "For questions about your report" },
    send: "Send report",
    notices: {
      invalid: "Your report hasn't been sent yet. Check the marked fields.",
      limited: "Too many reports were sent from your network. Wait a minute, then send it again.",
      unavailable: "Your report couldn't be saved. Send it again.",
    },
    sent: {
      title: "Thank you for your report",
      text: "The operator of this service will look into it.",
      advice: "If you entered a password, change it. If you entered a card number, tell your bank.",
    },
  },
};
