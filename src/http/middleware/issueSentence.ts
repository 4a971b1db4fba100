import { type Schema, SchemaIssue } from "effect"

const formatIssue = SchemaIssue.makeFormatterStandardSchemaV1()

/** Types as people call them who write a request. */
const TYPES: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  "a finite number": "a number",
  "an integer": "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
  "a valid JSON body": "JSON"
}

const EXPECTED = "Expected "
const TEXTS = /^"([^"]*)"$/

/** What was expected, such as `string | null`, as a sentence without its subject. */
const mustBe = (expected: string): string => {
  if (expected === "no excess property") return "isn't known here"
  if (expected.includes("RegExp") || expected.includes("<filter>")) return "isn't in the right form"
  const choices = expected.split(" | ")
  const texts = choices.flatMap((choice) => TEXTS.exec(choice)?.[1] ?? [])
  if (texts.length > 1 && texts.length === choices.length) return `must be one of: ${texts.join(", ")}`
  const words = choices.map((choice) => TYPES[choice] ?? choice).join(" or ")
  if (words.startsWith("a value with ")) return `must have ${words.slice("a value with ".length)}`
  return `must be ${words.startsWith("a value between ") ? words.slice("a value ".length) : words}`
}

/** One of Effect's messages in plain words; a schema's own message stays as it is. */
export const plainWords = (message: string): string => {
  if (message === "Missing key") return "is required"
  if (message === "Forbidden operation" || message.startsWith("Invalid data")) return "isn't valid"
  return message.startsWith(EXPECTED) ? mustBe(message.slice(EXPECTED.length)) : message
}

/** What's wrong with a request, from its first issue: `<field>: <what it must be>`. */
export const issueSentence = (error: Schema.SchemaError): string => {
  const first = formatIssue(error.issue).issues[0]
  if (first === undefined) return "the request isn't valid"
  const path = first.path?.map(String).join(".") ?? ""
  if (path !== "") return `${path}: ${plainWords(first.message)}`
  const isOwn = plainWords(first.message) === first.message
  return isOwn ? first.message : `the body ${plainWords(first.message)}`
}
