import { Schema, SchemaTransformation } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { UsageUnavailable } from "../../services/usage/TokenUsage.ts"
import { UsageGroup, UsageHistoryRow } from "../../services/usage/usageHistory.ts"
import { UsageSummary } from "../../services/usage/usageSummary.ts"
import { errorBody } from "../errorBody.ts"

const Unavailable = errorBody(UsageUnavailable, {
  code: "usage_unavailable",
  status: 500,
  details: (failure) => failure.message
})

const Day = Schema.String.check(
  Schema.makeFilter((day: string) => /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day)))
).annotate({ message: "must be a day: YYYY-MM-DD" })

/** Several groups are separated by commas. */
const Groups = Schema.String.pipe(
  Schema.decodeTo(
    Schema.Array(Schema.String),
    SchemaTransformation.transform({
      decode: (text: string): ReadonlyArray<string> => text.split(","),
      encode: (groups: ReadonlyArray<string>) => groups.join(",")
    })
  ),
  Schema.decodeTo(Schema.Array(UsageGroup))
)

/** What the agents used (SPEC "Token usage"). */
export class UsageApi extends HttpApiGroup.make("usage")
  .add(
    HttpApiEndpoint.get("summary", "/api/tokens", { success: UsageSummary, error: Unavailable }).annotate(
      OpenApi.Summary,
      "Tokens and costs in US dollars, by provider, and everything ever counted; at most 60 seconds old"
    ),
    HttpApiEndpoint.get("history", "/api/tokens/history", {
      query: { from: Schema.optionalKey(Day), to: Schema.optionalKey(Day), group: Schema.optionalKey(Groups) },
      success: Schema.Struct({
        from: Schema.String,
        to: Schema.String,
        group: Schema.Array(UsageGroup),
        rows: Schema.Array(UsageHistoryRow)
      }),
      error: Unavailable
    }).annotate(
      OpenApi.Summary,
      "Series by day, model, agent, session (UTC days, both included; the last 30 by day without a query)"
    )
  )
  .annotate(OpenApi.Title, "Token usage") {}
