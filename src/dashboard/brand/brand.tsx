import { plans } from "../../contract/plans.ts";
import { BrandColorInput } from "../../contract/resources/images/brand.ts";
import { addColor, brandOf, removeColor } from "../../domain/brand/brand.ts";
import { listLogos } from "../../domain/brand/logos.ts";
import { maxLogoBytes } from "../../domain/logos/files.ts";
import { Empty } from "../../ui/empty.tsx";
import type { FormState } from "../../ui/forms/form.ts";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { Problems } from "../../ui/forms/problems.tsx";
import { Notice } from "../../ui/notice.tsx";
import { formPage } from "../frame/form-page.tsx";
import { UpgradeLink } from "../frame/notices.tsx";
import type { DashboardRequest, DashboardResponse, PageResponse } from "../frame/request.ts";
import { SettingsPage } from "../frame/settings-page.tsx";
import { type Rejection, submitForm } from "../frame/submit-form.ts";
import { brandPath } from "./addresses.ts";
import { Colors, colorLabels, readBrandColor } from "./colors.tsx";
import { LogoUpload } from "./logo-upload.tsx";
import { LogoGrid } from "./logos.tsx";
import { keepUpload, logoField, logoLabel } from "./upload.ts";

const labels = { ...colorLabels, [logoField]: logoLabel } as const;

/** The brand's colours and logos, and the forms to add some. */
export const brandPage = (request: DashboardRequest): Promise<PageResponse> => show(request);

/** Adds or removes a colour, or uploads a logo; shows the page again if that fails. */
export async function changeBrand(request: DashboardRequest): Promise<DashboardResponse> {
  const { deps, context, form } = request;
  const removed = form.get("remove");
  if (removed !== null) {
    await removeColor(deps, context, removed);
    return { seeOther: brandPath, flash: "colorRemoved" };
  }
  if (form.get("part") === logoField || request.files.has(logoField)) {
    const upload = await keepUpload(request);
    if (upload === undefined) {
      return show(request, { problems: { [logoField]: "Choose a file." }, status: 400 });
    }
    return "rejection" in upload
      ? show(request, upload.rejection)
      : { seeOther: brandPath, flash: "logoUploaded" };
  }
  const input = readBrandColor(form);
  if (input === undefined) {
    return show(request, { problems: { hex: "Enter a colour, such as #14532d." }, status: 400 });
  }
  const outcome = await submitForm(BrandColorInput, input, (color) => addColor(deps, context, color));
  return "rejection" in outcome
    ? show(request, outcome.rejection)
    : { seeOther: brandPath, flash: "colorAdded" };
}

async function show(request: DashboardRequest, rejection?: Rejection): Promise<PageResponse> {
  const { deps, context } = request;
  const [{ colors }, logos] = await Promise.all([brandOf(deps, context), listLogos(deps, context)]);
  const form: FormState = { values: request.form, problems: rejection?.problems ?? {} };
  const ofBrand = logos.filter(({ name }) => name !== null);
  const others = logos.filter(({ name }) => name === null);
  return formPage(
    "Brand",
    rejection,
    <SettingsPage request={request} title="Brand">
      <Problems form={form} labels={labels} />
      {colors.length === 0 && logos.length === 0 && (
        <Empty
          title="No colours or logos yet"
          text="Colours and logos you add here are one click away in every design, so that all your codes look alike."
        />
      )}
      <div class="brand-kit">
        <Colors colors={colors} form={form} />
        <section aria-labelledby="logos-title">
          <h2 id="logos-title">Logos</h2>
          {ofBrand.length > 0 && <LogoGrid logos={ofBrand} />}
          {plans[context.plan].fullDesign ? (
            <PostForm action={brandPath} enctype="multipart/form-data" novalidate>
              <input type="hidden" name="part" value={logoField} />
              <LogoUpload form={form} maxBytes={maxLogoBytes(deps)} />
              <button class="button" type="submit">
                Upload logo
              </button>
            </PostForm>
          ) : (
            <Notice kind="info">
              <p>Your {plans[context.plan].title} plan doesn't include logos.</p>
              <UpgradeLink url={deps.settings.upgradeUrl} />
            </Notice>
          )}
        </section>
        {others.length > 0 && (
          <section aria-labelledby="others-title">
            <h2 id="others-title">In use, not in the brand</h2>
            <p class="quiet">Add a logo to the brand to offer it in every design.</p>
            <LogoGrid logos={others} />
          </section>
        )}
      </div>
    </SettingsPage>,
  );
}
