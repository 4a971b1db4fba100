import { fieldsOf, filledText, listOf, recordsOf } from "../decode.ts"
import type { ApiClient, ApiResult } from "../types.ts"

/** A model a session may use. */
export interface Model {
  /** `provider/id`. */
  readonly id: string
  readonly name: string
  readonly provider: string
}

/** The models of an answer of `/api/gateway/models`; entries of another shape are left out. */
export function decodeModels(body: unknown): ReadonlyArray<Model> | null {
  const fields = fieldsOf(body)
  if (!Array.isArray(fields.models)) return null
  return recordsOf(listOf(fields.models)).flatMap((entry): ReadonlyArray<Model> => {
    const id = filledText(entry.id) ?? filledText(entry.key)
    if (id === null) return []
    const provider = filledText(entry.provider) ?? (id.includes("/") ? id.slice(0, id.indexOf("/")) : "")
    const full = provider === "" || id.startsWith(`${provider}/`) ? id : `${provider}/${id}`
    return [{ id: full, name: filledText(entry.label) ?? filledText(entry.name) ?? full, provider }]
  })
}

/** Asks the console for the models (SPEC "Gateway operations"). */
export const readModels = (api: Pick<ApiClient, "request">): Promise<ApiResult<ReadonlyArray<Model>>> =>
  api.request("GET", "/api/gateway/models", decodeModels)
