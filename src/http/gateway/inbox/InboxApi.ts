import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { INBOX_KINDS, MAX_INBOX_PAGE } from "../../../contract/inbox.ts"
import { oneOf } from "../../../contract/schema/fields.ts"
import { InboxDecision, InboxItem, InboxPage } from "../../../contract/schema/inbox.ts"
import {
  BoardUnavailable,
  BudgetPausedError,
  EverythingStoppedError,
  InvalidTransitionError,
  StartBlockedError,
  StoreFailure,
  TaskNotFoundError
} from "../../board/boardErrors.ts"
import { TRUST_ERRORS } from "../../gatewayTrust.ts"
import { digits, listed } from "../../queryFields.ts"
import { Right, rights } from "../../Right.ts"
import { GatewayFailure, UnknownGatewayError } from "../../serviceErrors.ts"
import { InvalidDecisionError, ItemNotFoundError, ItemResolvedError } from "./inboxErrors.ts"

const InboxListQuery = Schema.Struct({
  state: Schema.optionalKey(oneOf(["open", "resolved"])),
  kind: Schema.optionalKey(listed(INBOX_KINDS)),
  limit: Schema.optionalKey(digits(1, MAX_INBOX_PAGE)),
  offset: Schema.optionalKey(digits(0))
})

/** Why a card isn't started that a person wants to start anyway. */
const START_ERRORS = [
  TaskNotFoundError,
  InvalidTransitionError,
  UnknownGatewayError,
  EverythingStoppedError,
  BudgetPausedError,
  StartBlockedError
] as const

/** What needs a person. */
export class InboxApi extends HttpApiGroup.make("inbox")
  .add(
    HttpApiEndpoint.get("list", "/api/inbox", {
      query: InboxListQuery,
      success: InboxPage,
      error: [BoardUnavailable, StoreFailure]
    }).annotate(
      OpenApi.Summary,
      "List what needs a person: open items first, the earliest deadline first, then those that have ended, the last one first"
    ),
    HttpApiEndpoint.get("get", "/api/inbox/:id", {
      params: { id: Schema.String },
      success: InboxItem,
      error: [ItemNotFoundError, BoardUnavailable, StoreFailure]
    }).annotate(OpenApi.Summary, "Read one item, also one that has ended"),
    HttpApiEndpoint.post("resolve", "/api/inbox/:id/resolve", {
      params: { id: Schema.String },
      payload: InboxDecision,
      success: InboxItem,
      error: [
        ...TRUST_ERRORS,
        ItemNotFoundError,
        InvalidDecisionError,
        ItemResolvedError,
        ...START_ERRORS,
        GatewayFailure,
        BoardUnavailable,
        StoreFailure
      ]
    }).annotate(
      OpenApi.Summary,
      "Decide with one of the item's actions; 409 if somebody was faster, 502 if the gateway didn't take it"
    )
  )
  .annotate(Right, rights("read", "talk"))
  .annotate(OpenApi.Title, "Inbox") {}
