import type { Texts } from "./texts.ts";

export const ja: Texts = {
  send: "送信",
  thanks: "ありがとうございます。回答を送信しました。",
  required: "* の付いた項目は必須です。",
  leaveEmpty: "この欄は空のままにしてください",
  closed: "このフォームは受付を終了しました。回答数が上限に達しています。",
  notSent: (pageTitle) => `未送信：${pageTitle}`,
  notices: {
    invalid: "回答はまだ送信されていません。エラーのある項目をご確認ください。",
    early:
      "入力から送信までの時間が短すぎたため、回答はまだ送信されていません。内容をご確認のうえ、もう一度送信してください。",
    expired:
      "フォームを開いてから長い時間が経過しました。入力内容は保持されていますので、もう一度送信してください。",
    limited: "お使いのネットワークからの送信が多すぎます。1分ほど待ってから、もう一度送信してください。",
    limitedToday: "本日、お使いのネットワークからの送信が多すぎます。明日もう一度送信してください。",
    unavailable: "回答を保存できませんでした。もう一度送信してください。",
  },
  problems: {
    missing: "この項目を入力してください。",
    unticked: "チェックを入れてください。",
    characters: "使用できない文字が含まれています。",
    email: "メールアドレスを入力してください。",
    option: "選択肢から1つ選んでください。",
    phone: "国番号付きの電話番号を入力してください（例：+49\u00a030\u00a0901820）。",
    tooLong: (maxCharacters) => `${maxCharacters}文字以内で入力してください。`,
  },
  reportPage: "このページを報告",
  reportCode: "このコードを報告",
  apps: {
    message: { title: "メッセージを送信", open: "メッセージアプリを開く" },
    mail: { title: "メールを作成", open: "メールアプリを開く" },
    to: "宛先：",
    subject: "件名：",
  },
};
