import type { Texts } from "./texts.ts";

// In simplified characters.
export const zh: Texts = {
  send: "提交",
  thanks: "谢谢。您的回答已提交。",
  required: "标有 * 的项目为必填项。",
  leaveEmpty: "请将此项留空",
  closed: "此表单已关闭：收到的回答数量已达上限。",
  notSent: (pageTitle) => `未提交：${pageTitle}`,
  notices: {
    invalid: "您的回答尚未提交。请检查标出的项目。",
    early: "由于填写速度过快，您的回答尚未提交。请检查后重新提交。",
    expired: "此表单打开的时间过长。您填写的内容已保留，请重新提交。",
    limited: "来自您所在网络的提交次数过多。请等待一分钟后重新提交。",
    limitedToday: "今天来自您所在网络的提交次数过多。请明天重新提交。",
    unavailable: "无法保存您的回答。请重新提交。",
  },
  problems: {
    missing: "请填写此项。",
    unticked: "请勾选此项。",
    characters: "此项包含不允许使用的字符。",
    email: "请输入电子邮箱地址。",
    option: "请选择其中一个选项。",
    phone: "请输入带国家或地区代码的电话号码，例如 +49\u00a030\u00a0901820。",
    tooLong: (maxCharacters) => `最多可输入 ${maxCharacters} 个字符。`,
  },
  reportPage: "举报此页面",
  reportCode: "举报此二维码",
  codes: {
    missing: {
      title: "此二维码没有指向任何内容",
      text: "它可能已被所有者删除。如果网址是手动输入的，请检查是否有误。",
    },
    paused: { title: "此二维码已暂停", text: "所有者暂时停用了它。请稍后再试。" },
    notStarted: { title: "此二维码尚未生效", text: "所有者设置了生效时间。请稍后再试。" },
    expired: { title: "此二维码已过期", text: "所有者设置的有效期已结束。" },
    suspended: { title: "此二维码已被停用", text: "本服务的运营方已将其停用。您的设备和网络没有问题。" },
  },
  apps: {
    message: { title: "发送短信", open: "打开短信应用" },
    mail: { title: "写邮件", open: "打开邮件应用" },
    to: "收件人",
    subject: "主题",
  },
};
