import { DeliveryStatus } from "../../../contract/resources/enums.ts";
import { DeliveryListQuery } from "../../../contract/resources/webhooks/webhooks.ts";
import type { Choice } from "../../filters/menu.tsx";
import type { ListFilters } from "../../filters/query.ts";
import { statusTexts } from "./table.tsx";

/** The filters of a list of deliveries. */
export const deliveryFilters: ListFilters<DeliveryListQuery> = {
  labels: { status: "Status" },
  schema: DeliveryListQuery,
  pageSize: 50,
};

export const deliveryChoices = {
  status: DeliveryStatus.options.map((status): Choice => [status, statusTexts[status].text]),
};
