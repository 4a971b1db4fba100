import { Schema, SchemaTransformation } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { UsageGroup, UsageHistory, UsageSummary } from "../../contract/schema/usage.ts"
import { UsageUnavailable } from "../../services/usage/TokenUsage.ts"
import { errorBody } from "../errorBody.ts"
import { Right, rights } from "../Right.ts"
import { gatewayQuery, UnknownGatewayError } from "../serviceErrors.ts"

const Unavailable = errorBody(UsageUnavailable, {
  code: "usage_unavailable",
  status: 500,
  details: (failure) => failure
})

const Day = Schema.String.check(
  Schema.makeFilter((day: string) => /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day)))
).annotate({ message: "must be a date: YYYY-MM-DD" })

/** Several groups, comma-separated. */
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

/** What the agents have used. */
export class UsageApi extends HttpApiGroup.make("usage")
  .add(
    HttpApiEndpoint.get("summary", "/api/tokens", {
      query: gatewayQuery,
      success: UsageSummary,
      error: [Unavailable, UnknownGatewayError]
    }).annotate(OpenApi.Summary, "Get tokens and costs in US dollars, by provider and in total; cached for 60 seconds"),
    HttpApiEndpoint.get("history", "/api/tokens/history", {
      query: {
        from: Schema.optionalKey(Day),
        to: Schema.optionalKey(Day),
        group: Schema.optionalKey(Groups),
        ...gatewayQuery
      },
      success: UsageHistory,
      error: [Unavailable, UnknownGatewayError]
    }).annotate(
      OpenApi.Summary,
      "Get usage by day, model, agent, session, or card and job (UTC days, both ends inclusive; by day for the last 30 days by default)"
    )
  )
  .annotate(Right, rights("read", "own"))
  .annotate(OpenApi.Title, "Token usage") {}
