import type { Texts } from "./texts.ts";

// In simplified characters; the traditional ones have their own file.
export const zh: Texts = {
  send: "提交",
  thanks: "谢谢，您的回答已提交。",
  required: "标有 * 的项目为必填项。",
  leaveEmpty: "请将此项留空",
  closed: "此表单已关闭，不再接受回答。",
  notSent: (pageTitle) => `未提交：${pageTitle}`,
  notices: {
    invalid: "您的回答尚未提交。请检查标出的项目。",
    trapped: "您的回答尚未提交。浏览器或密码管理器自动填写了一个用于防止垃圾信息的隐藏项目。请重新提交。",
    early: "您填得很快。为防止垃圾信息，您的回答尚未提交。请重新提交。",
    expired: "此表单已打开很久。您填写的内容还在，请重新提交。",
    limited: "您所在网络的提交次数过多。请等待一分钟后重试。",
    limitedToday: "您所在网络今天的提交次数过多。请明天再试。",
    unavailable: "您的回答未能保存。请重新提交。",
  },
  problems: {
    missing: "请填写此项。",
    unchecked: "请勾选此项。",
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
      title: "此二维码没有对应的内容",
      text: "它可能已被删除。如果网址是手动输入的，请检查是否有误。",
    },
    paused: { title: "此二维码已暂停使用", text: "目前无法使用。请稍后再试。" },
    notStarted: { title: "此二维码尚未启用", text: "还没到启用时间。请届时再试。" },
    expired: { title: "此二维码已过期", text: "它只在一段时间内有效。" },
    suspended: { title: "此二维码已被停用", text: "本服务的运营方已将其停用。您的设备和网络没有问题。" },
    noCode: { title: "此网址没有对应的二维码", text: "请检查网址是否有误，或重新扫描二维码。" },
    unavailable: {
      title: "暂时无法打开此二维码",
      text: "这是我们的问题，二维码本身没有问题。请过几秒再试。",
    },
  },
  domains: {
    pending: { title: "此网址尚未就绪", text: "所有者仍在设置。请稍后再试。" },
    suspended: { title: "此网址已被停用", text: "本服务的运营者已将其停用。您的设备和网络没有问题。" },
    removed: { title: "此网址已不再使用", text: "所有者已停止使用。请向其询问新网址。" },
  },
  pages: {
    missing: {
      title: "找不到此页面",
      text: "它可能已被删除。如果网址是手动输入的，请检查是否有误。",
    },
    suspended: { title: "此页面已被停用", text: "本服务的运营方已将其停用。您的设备和网络没有问题。" },
    unavailable: { title: "暂时无法打开此页面", text: "这是我们的问题。请过几秒再试。" },
  },
  apps: {
    message: { title: "发送短信", open: "打开短信应用" },
    mail: { title: "写邮件", open: "打开邮件应用" },
    to: "收件人",
    subject: "主题",
  },
  contact: {
    save: "保存联系人",
    phones: {
      mobile: "手机",
      work: "办公电话",
      home: "住宅电话",
      fax: "传真",
      other: "电话",
    },
    extension: (digits) => `分机 ${digits}`,
    email: "邮箱",
    website: "网站",
    address: "地址",
  },
  abuse: {
    title: { code: "举报二维码", page: "举报页面" },
    intro: {
      code: "此二维码指向有害内容吗？请告知本服务的运营方。二维码的所有者看不到您的举报，您的 IP 地址也不会被保存。",
      page: "此页面有害吗？请告知本服务的运营方。页面的所有者看不到您的举报，您的 IP 地址也不会被保存。",
    },
    code: {
      label: "二维码",
      hint: "印在二维码旁的网址，或网址中最后一个斜杠后面的部分",
      problem: "请输入二维码的网址，或网址中最后一个斜杠后面的部分。",
    },
    reason: "有什么问题？",
    reasons: {
      phishing: "钓鱼：索要密码或钱财",
      malware: "恶意软件",
      spam: "垃圾信息",
      illegal_content: "违法内容",
      other: "其他问题",
    },
    details: {
      label: "详细说明（选填）",
      hint: (maxCharacters) => `什么时候发生了什么？最多 ${maxCharacters} 个字符`,
    },
    email: { label: "您的电子邮箱（选填）", hint: "便于就您的举报与您联系" },
    send: "提交举报",
    notices: {
      invalid: "您的举报尚未提交。请检查标出的项目。",
      limited: "您所在网络的举报次数过多。请等待一分钟后重试。",
      unavailable: "您的举报未能保存。请重新提交。",
    },
    sent: {
      title: "感谢您的举报",
      text: "本服务的运营方会进行核查。",
      advice: "如果您输入过密码，请修改密码。如果您输入过银行卡号，请联系银行。",
    },
  },
};
