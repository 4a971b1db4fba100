import { Effect, Metric } from "effect"
import type { Verdict } from "./deliveryRules.ts"

const RESULTS = ["sent", "again", "failed", "gone"] as const satisfies ReadonlyArray<Verdict["type"]>

const requests = (result: Verdict["type"]) =>
  Metric.counter("agent_console_push_requests_total", {
    description: "Requests to push services and to the webhook, by result; those with the result again are repeated",
    incremental: true,
    attributes: { result }
  })

/** Counts an attempt at a recipient. */
export const countRequest = ({ type }: Verdict) => Metric.update(requests(type), 1)

/** A rate needs a first value before the first failure. */
export const countFromZero = Effect.forEach(RESULTS, (result) => Metric.update(requests(result), 0), { discard: true })
