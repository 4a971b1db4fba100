import type { Answers } from "../../../../src/contract/answers/Answers.ts"
import type { Model } from "../../../../src/contract/answers/GatewayAnswers.ts"
import { fieldsOf, filledText, recordsOf } from "../common/decode.ts"
import type { ApiClient, ApiResult } from "../link/apiTypes.ts"

/** The models in a `/api/gateway/models` response; entries of another form are left out. */
export function decodeModels(body: unknown): ReadonlyArray<Model> | null {
  const { models } = fieldsOf<Answers["GET /api/gateway/models"]>(body)
  if (!Array.isArray(models)) return null
  return recordsOf<Model>(models).flatMap((entry) => {
    const id = filledText(entry.id)
    return id === null ? [] : [{ id, label: filledText(entry.label) ?? id, provider: filledText(entry.provider) ?? "" }]
  })
}

/** Asks the console for the models of a gateway; the primary one without an id. */
export const readModels = (
  api: Pick<ApiClient, "request">,
  gatewayId?: string
): Promise<ApiResult<ReadonlyArray<Model>>> =>
  api.request("GET", `/api/gateway/models${gatewayId === undefined ? "" : `?gateway=${gatewayId}`}`, decodeModels)
