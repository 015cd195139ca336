// The drawings of icons. Every icon used in the dashboard has one line here and one in the table.

import activity from "lucide/dist/esm/icons/activity.mjs";
import archiveArrowUp from "lucide/dist/esm/icons/archive-arrow-up.mjs";
import arrowDown from "lucide/dist/esm/icons/arrow-down.mjs";
import arrowDownNarrowWide from "lucide/dist/esm/icons/arrow-down-narrow-wide.mjs";
import arrowLeft from "lucide/dist/esm/icons/arrow-left.mjs";
import arrowRight from "lucide/dist/esm/icons/arrow-right.mjs";
import arrowUp from "lucide/dist/esm/icons/arrow-up.mjs";
import arrowUpRight from "lucide/dist/esm/icons/arrow-up-right.mjs";
import ban from "lucide/dist/esm/icons/ban.mjs";
import bookmark from "lucide/dist/esm/icons/bookmark.mjs";
import building from "lucide/dist/esm/icons/building.mjs";
import calendar from "lucide/dist/esm/icons/calendar.mjs";
import check from "lucide/dist/esm/icons/check.mjs";
import chevronDown from "lucide/dist/esm/icons/chevron-down.mjs";
import chevronLeft from "lucide/dist/esm/icons/chevron-left.mjs";
import chevronRight from "lucide/dist/esm/icons/chevron-right.mjs";
import chevronsUpDown from "lucide/dist/esm/icons/chevrons-up-down.mjs";
import circleAlert from "lucide/dist/esm/icons/circle-alert.mjs";
import circlePause from "lucide/dist/esm/icons/circle-pause.mjs";
import code from "lucide/dist/esm/icons/code.mjs";
import columns3 from "lucide/dist/esm/icons/columns-3.mjs";
import contact from "lucide/dist/esm/icons/contact.mjs";
import copy from "lucide/dist/esm/icons/copy.mjs";
import cornerDownRight from "lucide/dist/esm/icons/corner-down-right.mjs";
import download from "lucide/dist/esm/icons/download.mjs";
import ellipsis from "lucide/dist/esm/icons/ellipsis.mjs";
import ellipsisVertical from "lucide/dist/esm/icons/ellipsis-vertical.mjs";
import fileText from "lucide/dist/esm/icons/file-text.mjs";
import flag from "lucide/dist/esm/icons/flag.mjs";
import folder from "lucide/dist/esm/icons/folder.mjs";
import folderInput from "lucide/dist/esm/icons/folder-input.mjs";
import globe from "lucide/dist/esm/icons/globe.mjs";
import image from "lucide/dist/esm/icons/image.mjs";
import inbox from "lucide/dist/esm/icons/inbox.mjs";
import info from "lucide/dist/esm/icons/info.mjs";
import key from "lucide/dist/esm/icons/key.mjs";
import keyRound from "lucide/dist/esm/icons/key-round.mjs";
import keyboard from "lucide/dist/esm/icons/keyboard.mjs";
import layers from "lucide/dist/esm/icons/layers.mjs";
import layoutDashboard from "lucide/dist/esm/icons/layout-dashboard.mjs";
import link from "lucide/dist/esm/icons/link.mjs";
import listChecks from "lucide/dist/esm/icons/list-checks.mjs";
import logOut from "lucide/dist/esm/icons/log-out.mjs";
import mail from "lucide/dist/esm/icons/mail.mjs";
import mapPin from "lucide/dist/esm/icons/map-pin.mjs";
import menu from "lucide/dist/esm/icons/menu.mjs";
import messageCircle from "lucide/dist/esm/icons/message-circle.mjs";
import messageSquare from "lucide/dist/esm/icons/message-square.mjs";
import palette from "lucide/dist/esm/icons/palette.mjs";
import panelsTopLeft from "lucide/dist/esm/icons/panels-top-left.mjs";
import pause from "lucide/dist/esm/icons/pause.mjs";
import pencil from "lucide/dist/esm/icons/pencil.mjs";
import play from "lucide/dist/esm/icons/play.mjs";
import plus from "lucide/dist/esm/icons/plus.mjs";
import printer from "lucide/dist/esm/icons/printer.mjs";
import qrCode from "lucide/dist/esm/icons/qr-code.mjs";
import rotateCcw from "lucide/dist/esm/icons/rotate-ccw.mjs";
import rotateCcwClock from "lucide/dist/esm/icons/rotate-ccw-clock.mjs";
import scanLine from "lucide/dist/esm/icons/scan-line.mjs";
import search from "lucide/dist/esm/icons/search.mjs";
import send from "lucide/dist/esm/icons/send.mjs";
import settings from "lucide/dist/esm/icons/settings.mjs";
import share2 from "lucide/dist/esm/icons/share-2.mjs";
import slidersHorizontal from "lucide/dist/esm/icons/sliders-horizontal.mjs";
import smartphone from "lucide/dist/esm/icons/smartphone.mjs";
import tag from "lucide/dist/esm/icons/tag.mjs";
import tags from "lucide/dist/esm/icons/tags.mjs";
import trash from "lucide/dist/esm/icons/trash.mjs";
import triangleAlert from "lucide/dist/esm/icons/triangle-alert.mjs";
import upload from "lucide/dist/esm/icons/upload.mjs";
import webhook from "lucide/dist/esm/icons/webhook.mjs";
import x from "lucide/dist/esm/icons/x.mjs";

/** The drawings, by their names at lucide.dev. They are ISC-licensed and compiled into the script. */
export const icons = {
  activity,
  "archive-arrow-up": archiveArrowUp,
  "arrow-down": arrowDown,
  "arrow-down-narrow-wide": arrowDownNarrowWide,
  "arrow-left": arrowLeft,
  "arrow-right": arrowRight,
  "arrow-up": arrowUp,
  "arrow-up-right": arrowUpRight,
  ban,
  bookmark,
  building,
  calendar,
  check,
  "chevron-down": chevronDown,
  "chevron-left": chevronLeft,
  "chevron-right": chevronRight,
  "chevrons-up-down": chevronsUpDown,
  "circle-alert": circleAlert,
  "circle-pause": circlePause,
  code,
  "columns-3": columns3,
  contact,
  copy,
  "corner-down-right": cornerDownRight,
  download,
  ellipsis,
  "ellipsis-vertical": ellipsisVertical,
  "file-text": fileText,
  flag,
  folder,
  "folder-input": folderInput,
  globe,
  image,
  inbox,
  info,
  key,
  "key-round": keyRound,
  keyboard,
  layers,
  "layout-dashboard": layoutDashboard,
  link,
  "list-checks": listChecks,
  "log-out": logOut,
  mail,
  "map-pin": mapPin,
  menu,
  "message-circle": messageCircle,
  "message-square": messageSquare,
  palette,
  "panels-top-left": panelsTopLeft,
  pause,
  pencil,
  play,
  plus,
  printer,
  "qr-code": qrCode,
  "rotate-ccw": rotateCcw,
  "rotate-ccw-clock": rotateCcwClock,
  "scan-line": scanLine,
  search,
  send,
  settings,
  "share-2": share2,
  "sliders-horizontal": slidersHorizontal,
  smartphone,
  tag,
  tags,
  trash,
  "triangle-alert": triangleAlert,
  upload,
  webhook,
  x,
} as const;

export type IconName = keyof typeof icons;
