import code from "../../../docs/img/code.png";
import codes from "../../../docs/img/codes.png";
import overview from "../../../docs/img/overview.png";
import pageEditor from "../../../docs/img/page-editor.png";
import { StaticFiles } from "../../ui/static-files.ts";

const picture = (bytes: ArrayBuffer) => ({ type: "image/png", content: new Uint8Array(bytes) });

/** The documentation's pictures of the example company. */
export const tourPictures = new StaticFiles({
  "overview.png": picture(overview),
  "codes.png": picture(codes),
  "code.png": picture(code),
  "page-editor.png": picture(pageEditor),
});
