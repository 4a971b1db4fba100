import type { Model } from "../../../../src/contract/schema/session.ts"
import type { ApiClient, ApiResult } from "../link/apiTypes.ts"

/** Asks the console for the models of a gateway; the primary one without an id. */
export const readModels = (
  api: Pick<ApiClient, "request">,
  gatewayId?: string
): Promise<ApiResult<ReadonlyArray<Model>>> =>
  api.request(
    "GET",
    `/api/gateway/models${gatewayId === undefined ? "" : `?gateway=${gatewayId}`}`,
    ({ models }: { readonly models: ReadonlyArray<Model> }) => models
  )
