import agents from "../../../docs/agents.md";
import analytics from "../../../docs/analytics.md";
import api from "../../../docs/api.md";
import architecture from "../../../docs/architecture.md";
import benchmarks from "../../../docs/benchmarks.md";
import bots from "../../../docs/bots.md";
import compare from "../../../docs/compare.md";
import connect from "../../../docs/connect.md";
import dashboard from "../../../docs/dashboard.md";
import developing from "../../../docs/developing.md";
import domains from "../../../docs/domains.md";
import embed from "../../../docs/embed.md";
import firstChange from "../../../docs/first-change.md";
import guarantee from "../../../docs/guarantee.md";
import move from "../../../docs/guides/move.md";
import printShop from "../../../docs/guides/print-shop.md";
import shop from "../../../docs/guides/shop.md";
import tables from "../../../docs/guides/tables.md";
import history from "../../../docs/history.md";
import images from "../../../docs/images.md";
import limits from "../../../docs/limits.md";
import members from "../../../docs/members.md";
import backup from "../../../docs/operating/backup.md";
import data from "../../../docs/operating/data.md";
import install from "../../../docs/operating/install.md";
import moderate from "../../../docs/operating/moderate.md";
import plans from "../../../docs/operating/plans.md";
import runbooks from "../../../docs/operating/runbooks.md";
import secure from "../../../docs/operating/secure.md";
import settings from "../../../docs/operating/settings.md";
import upgrade from "../../../docs/operating/upgrade.md";
import watch from "../../../docs/operating/watch.md";
import zone from "../../../docs/operating/zone.md";
import operating from "../../../docs/operating.md";
import hostedPages from "../../../docs/pages.md";
import printing from "../../../docs/printing.md";
import promise from "../../../docs/promise.md";
import scans from "../../../docs/scans.md";
import types from "../../../docs/types.md";
import webhooks from "../../../docs/webhooks.md";
import whatItDoesntDo from "../../../docs/what-it-doesnt-do.md";
import readme from "../../../README.md";

/**
 * The file of every page of the documentation, by group and by its path in the repository. As bytes, because text would
 * be decoded whenever the Worker starts.
 */
export const groups: Readonly<Record<string, Readonly<Record<string, ArrayBuffer>>>> = {
  "First steps": {
    "README.md": readme,
    "docs/guides/tables.md": tables,
    "docs/guides/move.md": move,
    "docs/guides/print-shop.md": printShop,
    "docs/guides/shop.md": shop,
    "docs/compare.md": compare,
    "docs/what-it-doesnt-do.md": whatItDoesntDo,
  },
  "Using it": {
    "docs/api.md": api,
    "docs/types.md": types,
    "docs/scans.md": scans,
    "docs/bots.md": bots,
    "docs/analytics.md": analytics,
    "docs/webhooks.md": webhooks,
    "docs/connect.md": connect,
    "docs/agents.md": agents,
    "docs/history.md": history,
    "docs/pages.md": hostedPages,
    "docs/domains.md": domains,
    "docs/embed.md": embed,
    "docs/dashboard.md": dashboard,
    "docs/members.md": members,
    "docs/promise.md": promise,
    "docs/guarantee.md": guarantee,
    "docs/limits.md": limits,
    "docs/images.md": images,
    "docs/printing.md": printing,
  },
  Operating: {
    "docs/operating.md": operating,
    "docs/benchmarks.md": benchmarks,
    "docs/operating/install.md": install,
    "docs/operating/settings.md": settings,
    "docs/operating/zone.md": zone,
    "docs/operating/secure.md": secure,
    "docs/operating/moderate.md": moderate,
    "docs/operating/data.md": data,
    "docs/operating/backup.md": backup,
    "docs/operating/plans.md": plans,
    "docs/operating/watch.md": watch,
    "docs/operating/runbooks.md": runbooks,
    "docs/operating/upgrade.md": upgrade,
  },
  Developing: {
    "docs/developing.md": developing,
    "docs/first-change.md": firstChange,
    "docs/architecture.md": architecture,
  },
};
