import { Option, Schema } from "effect"

const Text = Schema.optionalKey(Schema.NullOr(Schema.String))
const Flag = Schema.optionalKey(Schema.NullOr(Schema.Boolean))

const QuestionOption = Schema.Union([Schema.String, Schema.Struct({ label: Schema.String, description: Text })])

/** Where the gateway keeps a secret that it asks for. */
const SecretStore = Schema.Struct({
  name: Text,
  reason: Text,
  allowedHosts: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.Unknown)))
})

/** One part of a question; gateways differ in the names of some fields. */
const QuestionPart = Schema.Struct({
  questionId: Text,
  id: Text,
  header: Text,
  question: Text,
  options: Schema.optionalKey(Schema.NullOr(Schema.Array(QuestionOption))),
  multiSelect: Flag,
  multiple: Flag,
  isOther: Flag,
  isSecret: Flag,
  url: Text,
  secretStore: Schema.optionalKey(Schema.NullOr(SecretStore)),
  secretStoreExisting: Schema.optionalKey(Schema.Unknown)
})

const QuestionRecord = Schema.Struct({
  id: Schema.NonEmptyString,
  questions: Schema.NonEmptyArray(QuestionPart),
  sessionKey: Text,
  createdAtMs: Schema.optionalKey(Schema.Finite),
  expiresAtMs: Schema.optionalKey(Schema.Finite),
  status: Text
})

/** What an agent asks in one part. */
export interface AskedPart {
  readonly id: string
  readonly header: string | undefined
  readonly text: string
  readonly options: ReadonlyArray<{ readonly label: string; readonly description: string | undefined }>
  readonly multiple: boolean
  /** Words of one's own are an answer too. */
  readonly freeText: boolean
  readonly secret: boolean
  /** A page to look at first. */
  readonly url: string | undefined
  readonly store: SecretPlace | undefined
}

/** Where the gateway keeps a secret. */
export interface SecretPlace {
  readonly name: string
  /** What the agent needs it for. */
  readonly reason: string | undefined
  /** Hosts it can be sent to. */
  readonly hosts: ReadonlyArray<string>
  /** A secret of this name already exists. */
  readonly replaces: boolean
}

/** A question an agent waits for a person to answer. */
export interface AgentQuestion {
  readonly id: string
  readonly sessionKey: string | undefined
  readonly parts: ReadonlyArray<AskedPart>
  /** Epoch milliseconds; `undefined` where the gateway doesn't say. */
  readonly createdAtMs: number | undefined
  readonly expiresAtMs: number | undefined
}

const decode = Schema.decodeUnknownOption(QuestionRecord)

const filled = (...texts: ReadonlyArray<string | null | undefined>): string | undefined =>
  texts.find((text) => typeof text === "string" && text.trim() !== "") ?? undefined

const optionOf = (option: typeof QuestionOption.Type): AskedPart["options"] => {
  const label = filled(typeof option === "string" ? option : option.label)
  const description = typeof option === "string" ? undefined : filled(option.description)
  return label === undefined ? [] : [{ label, description }]
}

const webAddress = (text: string | null | undefined): string | undefined =>
  typeof text === "string" && /^https?:\/\//i.test(text) ? text : undefined

const placeOf = ({ secretStore, secretStoreExisting }: typeof QuestionPart.Type): SecretPlace | undefined => {
  const name = filled(secretStore?.name)
  if (name === undefined) return undefined
  return {
    name,
    reason: filled(secretStore?.reason),
    hosts: (secretStore?.allowedHosts ?? []).filter((host) => typeof host === "string"),
    replaces: secretStoreExisting !== undefined && secretStoreExisting !== null
  }
}

const partOf = (part: typeof QuestionPart.Type): AskedPart | undefined => {
  const id = filled(part.questionId, part.id)
  const text = filled(part.question, part.header)
  if (id === undefined || text === undefined) return undefined
  const options = (part.options ?? []).flatMap(optionOf)
  return {
    id,
    header: filled(part.header),
    text,
    options,
    multiple: part.multiSelect === true || part.multiple === true,
    freeText: part.isOther === true || options.length === 0,
    secret: part.isSecret === true,
    url: webAddress(part.url),
    store: placeOf(part)
  }
}

/** A question as announced and listed by the gateway; `undefined` if it can't be answered (any more). */
export const readQuestion = (payload: unknown): AgentQuestion | undefined => {
  const record = Option.getOrUndefined(decode(payload))
  if (record === undefined || (record.status ?? "pending") !== "pending") return undefined
  const parts = record.questions.flatMap((part) => partOf(part) ?? [])
  if (parts.length < record.questions.length) return undefined
  return {
    id: record.id,
    sessionKey: filled(record.sessionKey),
    parts,
    createdAtMs: record.createdAtMs,
    expiresAtMs: record.expiresAtMs
  }
}

const Values = Schema.Record(Schema.String, Schema.Array(Schema.String))
const Settled = Schema.Struct({
  id: Text,
  questionId: Text,
  status: Text,
  answers: Schema.optionalKey(Schema.Unknown)
})
const decodeSettled = Schema.decodeUnknownOption(Settled)
const decodeWrapped = Schema.decodeUnknownOption(Schema.Struct({ answers: Values }))
const decodeValues = Schema.decodeUnknownOption(Values)

/** The values in `{answers: {…}}`, or in what is inside it. */
const givenIn = (given: unknown): typeof Values.Type | undefined =>
  Option.getOrUndefined(decodeWrapped(given))?.answers ?? Option.getOrUndefined(decodeValues(given))

/** How a question ended. A secret may be among the answers: code that stores them must leave it out. */
export interface SettledQuestion {
  readonly id: string
  /** `answered`, `cancelled` or `expired`. */
  readonly status: string | undefined
  readonly answers: Readonly<Record<string, ReadonlyArray<string>>> | undefined
}

export const readSettledQuestion = (payload: unknown): SettledQuestion | undefined => {
  const found = Option.getOrUndefined(decodeSettled(payload))
  const id = filled(found?.id, found?.questionId)
  if (id === undefined) return undefined
  return { id, status: filled(found?.status), answers: givenIn(found?.answers) }
}
