import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { UsageUnavailable } from "../../services/usage/TokenUsage.ts"
import { UsageSummary } from "../../services/usage/usageTotals.ts"
import { errorBody } from "../errorBody.ts"

const Unavailable = errorBody(UsageUnavailable, {
  code: "usage_unavailable",
  status: 500,
  details: (failure) => failure.message
})

/** What the agents used (SPEC "Token usage"). */
export class UsageApi extends HttpApiGroup.make("usage")
  .add(
    HttpApiEndpoint.get("summary", "/api/tokens", { success: UsageSummary, error: Unavailable }).annotate(
      OpenApi.Summary,
      "Tokens and costs in US dollars, by provider, and everything ever counted; at most 60 seconds old"
    )
  )
  .annotate(OpenApi.Title, "Token usage") {}
