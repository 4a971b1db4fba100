import { Schema } from "effect"
import type { Failure } from "../../../contract/failure.ts"
import { failure } from "../../../contract/failures.ts"
import { failureFields } from "../../../contract/schema/failure.ts"
import type { SessionInfo } from "../../../contract/schema/session.ts"
import { shownValue } from "../client/callFailures.ts"
import type { HistoryFacts, SessionFacts, SessionList } from "./sessionSchemas.ts"

/** The long form of a session's key, as the gateway lists it. */
export const canonicalKey = (key: string): string => (key === "main" ? "agent:main:main" : key)

/** `provider/model`; `undefined` if no model is named. */
export const modelOf = ({ model, modelProvider }: SessionFacts): string | undefined => {
  if (!model) return undefined
  return modelProvider && !model.startsWith(`${modelProvider}/`) ? `${modelProvider}/${model}` : model
}

/** A model without a thinking level runs without thinking. */
const NO_THINKING = "off"

/**
 * Model and thinking level of a session: its own first, then the gateway's defaults;
 * `undefined` when the gateway names no model at all.
 */
export const sessionInfo = (
  key: string,
  list: SessionList,
  history: HistoryFacts | undefined
): SessionInfo | undefined => {
  const own = [list.sessions.find((row) => row.key === canonicalKey(key)), history?.sessionInfo].filter(
    (facts) => facts !== undefined
  )
  const known = [...own, ...(list.defaults === undefined ? [] : [list.defaults])]
  const model = known.map(modelOf).find((found) => found !== undefined)
  if (model === undefined) return undefined
  const levels = [
    ...own.map((facts) => facts.thinkingLevel),
    history?.thinkingLevel,
    ...known.map((facts) => facts.thinkingDefault)
  ]
  return { model, thinking: levels.find((level) => typeof level === "string" && level !== "") ?? NO_THINKING }
}

const STATUS_MODEL = /\bModel: (\S+)/
const STATUS_THINKING = /\bthink:? (\w+)/i

/** Model and thinking level from the text of the gateway's status tool; `undefined` if it names no model. */
export const statusInfo = (statusText: string): SessionInfo | undefined => {
  const model = STATUS_MODEL.exec(statusText)?.[1]
  return model === undefined ? undefined : { model, thinking: STATUS_THINKING.exec(statusText)?.[1] ?? NO_THINKING }
}

const MAX_OFFERED = 5

/** The message for a model the gateway doesn't have. */
export const unknownModel = (name: string, offered: ReadonlyArray<{ readonly id: string }>): Failure => {
  const given = shownValue(name)
  const models = offered.slice(0, MAX_OFFERED).map(({ id }) => id)
  return models.length === 0
    ? failure("UNKNOWN_MODEL", { given })
    : failure("UNKNOWN_MODEL_CHOOSE", { given, models: models.join(", ") })
}

/** The gateway rejected a value for this session; `message` names the field and what it accepts. */
export class InvalidSessionChange extends Schema.TaggedError<InvalidSessionChange>()(
  "InvalidSessionChange",
  failureFields
) {}
