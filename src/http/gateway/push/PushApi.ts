import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { failure } from "../../../contract/failures.ts"
import { Done } from "../../../contract/schema/fields.ts"
import {
  NewPushSubscription,
  PushChoices,
  PushOverview,
  PushSubscription,
  SeenIds
} from "../../../contract/schema/push.ts"
import {
  InvalidPushSubscription,
  PushDeviceNotFound,
  PushFailed,
  TooManyPushDevices
} from "../../../services/push/pushErrors.ts"
import { StoreFailure, StoreUnavailable } from "../../board/boardErrors.ts"
import { errorBody } from "../../errorBody.ts"
import { Right, rights } from "../../Right.ts"
import { StorageFailureError } from "../../serviceErrors.ts"

const params = { id: Schema.String }

const NotFound = errorBody(PushDeviceNotFound, {
  code: "not_found",
  status: 404,
  details: () => failure("PUSH_DEVICE_NOT_FOUND")
})
const Invalid = errorBody(InvalidPushSubscription, {
  code: "validation_error",
  status: 400,
  details: (refused) => refused
})
const TooMany = errorBody(TooManyPushDevices, {
  code: "too_many_devices",
  status: 409,
  details: () => failure("TOO_MANY_PUSH_DEVICES")
})
const NotDelivered = errorBody(PushFailed, { code: "push_failed", status: 502, details: (failure) => failure })

/** Notifications to people's devices. */
export class PushApi extends HttpApiGroup.make("push")
  .add(
    HttpApiEndpoint.get("overview", "/api/push", {
      success: PushOverview,
      error: [StorageFailureError, StoreUnavailable, StoreFailure]
    }).annotate(OpenApi.Summary, "Get the key for `pushManager.subscribe`, and the devices that get notifications"),
    HttpApiEndpoint.post("subscribe", "/api/push/subscriptions", {
      payload: NewPushSubscription,
      success: PushSubscription.pipe(HttpApiSchema.status(201)),
      error: [Invalid, TooMany, StoreUnavailable, StoreFailure]
    }).annotate(
      OpenApi.Summary,
      "Add a device, or update the one with the same endpoint (200); what is left out stays as it was"
    ),
    HttpApiEndpoint.patch("change", "/api/push/subscriptions/:id", {
      params,
      payload: PushChoices,
      success: PushSubscription,
      error: [NotFound, StoreUnavailable, StoreFailure]
    }).annotate(OpenApi.Summary, "Change what a device is told; null clears the quiet hours"),
    HttpApiEndpoint.delete("remove", "/api/push/subscriptions/:id", {
      params,
      success: Done,
      error: [NotFound, StoreUnavailable, StoreFailure]
    }).annotate(OpenApi.Summary, "Remove a device"),
    HttpApiEndpoint.post("test", "/api/push/subscriptions/:id/test", {
      params,
      success: Done,
      error: [NotFound, NotDelivered, StoreUnavailable, StoreFailure]
    }).annotate(OpenApi.Summary, "Send a test notification to a device"),
    HttpApiEndpoint.post("seen", "/api/inbox/seen", {
      payload: SeenIds,
      success: Done
    }).annotate(OpenApi.Summary, "Say which items a visible page shows: nobody is notified of those for 30 seconds")
  )
  .annotate(Right, rights("read", "read"))
  .annotate(OpenApi.Title, "Notifications") {}
