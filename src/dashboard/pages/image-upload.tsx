import { createContext, useContext } from "hono/jsx";
import { limits } from "../../contract/limits.ts";
import { Dropzone } from "../../ui/forms/dropzone.tsx";
import type { FormState } from "../../ui/forms/form.ts";
import { fileField, uploadAction } from "./uploads.ts";

/** The editor's address, to which images are sent; undefined where files can't be stored. */
export const ImageStore = createContext<string | undefined>(undefined);

/**
 * The field for the file of an image. A script scales large photos down, and sends what is chosen at once; the editor comes
 * back with the address of the stored image.
 * @param of the field of its address
 */
export function ImageUpload({ form, of }: { form: FormState; of: string }) {
  const path = useContext(ImageStore);
  if (path === undefined) return null;
  return (
    <div
      class="drop-line"
      data-scaled={String(limits.storedImage.bytes)}
      data-unkept=""
      hx-post={path}
      hx-encoding="multipart/form-data"
      hx-include="closest form"
      hx-vals={JSON.stringify({ do: uploadAction })}
      hx-trigger="change"
    >
      <Dropzone
        form={form}
        name={fileField(of)}
        label="Drop an image here or choose one"
        subject="Image file"
        hint={
          <>
            PNG, JPEG, GIF, WebP or AVIF of at most {limits.storedImage.bytes / 1024} KiB.
            <span data-script="" hidden>
              {" "}
              Larger photos are scaled down.
            </span>
          </>
        }
        accept="image/png,image/jpeg,image/gif,image/webp,image/avif"
      />
      <noscript>
        <button
          class="button"
          type="submit"
          name="do"
          value={uploadAction}
          formaction={path}
          formenctype="multipart/form-data"
        >
          Upload
        </button>
      </noscript>
    </div>
  );
}
