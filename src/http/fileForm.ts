import { ByteSize, Schema, SchemaTransformation } from "effect"
import { Multipart } from "effect/http"
import { HttpApiSchema } from "effect/http-api"

/** One file of a form. A part without a file name is a text field, not a file. */
export const FormFile = Schema.Tuple([Multipart.PersistedFileSchema])
  .annotate({ message: "must be one file, sent with its file name" })
  .pipe(
    Schema.decodeTo(
      Multipart.PersistedFileSchema,
      SchemaTransformation.transform({ decode: ([file]) => file, encode: (file) => [file] as const })
    )
  )

/** A form with one file and a few short fields; the file may have any type. */
export const fileForm = (maxFileSize: ByteSize.ByteSize) =>
  HttpApiSchema.asMultipart({
    maxParts: 8,
    maxFileSize,
    maxFieldSize: ByteSize.kibibytes(16),
    // Without this a JSON file would count as a field.
    fieldMimeTypes: []
  })
