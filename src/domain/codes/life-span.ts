import type { QrType } from "../../contract/resources/enums.ts";
import type { UtmChanges } from "../../contract/resources/codes/qr.ts";
import type { QrRow } from "../../store/codes/columns.ts";
import { invalid } from "../errors.ts";

/** @throws invalid_input if the code would expire before it starts */
export function requireOrder({ startsAt, expiresAt }: Pick<QrRow, "startsAt" | "expiresAt">): void {
  if (startsAt !== null && expiresAt !== null && expiresAt <= startsAt) {
    throw invalid("expiresAt", "must be after startsAt");
  }
}

/** @throws invalid_input for campaign parameters of a code that doesn't lead to its owner's web address */
export function requireUtmFits(qrType: QrType, utm: UtmChanges | null | undefined): void {
  if (!utm || qrType === "url" || qrType === "applink") return;
  if (Object.values(utm).some((value) => value !== null && value !== undefined)) {
    throw invalid("utm", "can be set only for codes of type url or applink");
  }
}
