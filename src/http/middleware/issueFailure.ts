import { type Schema, SchemaIssue } from "effect"
import { type Failure, ofField } from "../../contract/failure.ts"
import { failure } from "../../contract/failures.ts"
import { issueWhy } from "../../services/platform/issueWhy.ts"

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

/** What these words have as their code. */
const CODES: Readonly<Record<string, Failure>> = {
  "must be text": failure("MUST_BE_TEXT"),
  "must be a number": failure("MUST_BE_A_NUMBER"),
  "must be a whole number": failure("MUST_BE_A_WHOLE_NUMBER"),
  "must be true or false": failure("MUST_BE_TRUE_OR_FALSE"),
  "must be a list": failure("MUST_BE_A_LIST"),
  "must be an object": failure("MUST_BE_AN_OBJECT"),
  "must be text or null": failure("MUST_BE_TEXT_OR_NULL"),
  "must be a number or null": failure("MUST_BE_A_NUMBER_OR_NULL"),
  "the body must be JSON": failure("BODY_MUST_BE_JSON"),
  "the body must be an object": failure("BODY_MUST_BE_AN_OBJECT")
}

const EXPECTED = "Expected "
const TEXTS = /^"([^"]*)"$/

const coded = (message: string): Failure => CODES[message] ?? { message }

/** What was expected, such as `string | null`, as a sentence without its subject. */
const mustBe = (expected: string): Failure => {
  if (expected === "no excess property") return failure("UNKNOWN_FIELD")
  if (expected.includes("RegExp") || expected.includes("<filter>")) return failure("WRONG_FORM")
  const choices = expected.split(" | ")
  const texts = choices.flatMap((choice) => TEXTS.exec(choice)?.[1] ?? [])
  if (texts.length > 1 && texts.length === choices.length) return failure("MUST_BE_ONE_OF", { words: texts.join(", ") })
  const words = choices.map((choice) => TYPES[choice] ?? choice).join(" or ")
  if (words.startsWith("a value with ")) return { message: `must have ${words.slice("a value with ".length)}` }
  return coded(`must be ${words.startsWith("a value between ") ? words.slice("a value ".length) : words}`)
}

/** One of Effect's messages in plain words; a schema's own message stays as it is. */
const plainWords = (message: string): Failure | undefined => {
  if (message === "Missing key") return failure("REQUIRED")
  if (message === "Forbidden operation" || message.startsWith("Invalid data")) return failure("INVALID")
  return message.startsWith(EXPECTED) ? mustBe(message.slice(EXPECTED.length)) : undefined
}

/** What's wrong with a request, from its first issue: `<field>: <what it must be>`. */
export const issueFailure = ({ issue }: Schema.SchemaError): Failure => {
  const [first] = formatIssue(issue).issues
  if (first === undefined) return failure("INVALID_REQUEST")
  const path = first.path?.map(String).join(".") ?? ""
  const plain = plainWords(first.message)
  const own = { message: first.message, ...issueWhy(issue, first.message) }
  if (path !== "") return ofField(path, plain ?? own)
  return plain === undefined ? own : coded(`the body ${plain.message}`)
}
