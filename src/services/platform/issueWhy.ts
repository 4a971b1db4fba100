import { Option, Schema, type SchemaIssue } from "effect"
import type { Why as WhyType } from "../../contract/failure.ts"
import { englishSentence, failure } from "../../contract/failures.ts"
import { Why } from "../../contract/schema/failure.ts"

const decodeWhy = Schema.decodeUnknownOption(Why)

/** The annotations that the message of an issue's first part comes from, found in the order of Effect's formatter. */
const annotationsOf = (issue: SchemaIssue.Issue): Readonly<Record<string, unknown>> | undefined => {
  switch (issue._tag) {
    case "Filter":
      return issue.filter.annotations?.message === undefined ? annotationsOf(issue.issue) : issue.filter.annotations
    case "Encoding":
    case "Pointer":
      return annotationsOf(issue.issue)
    case "Composite":
      return annotationsOf(issue.issues[0])
    case "AnyOf": {
      const [first] = issue.issues
      return first === undefined ? issue.ast.annotations : annotationsOf(first)
    }
    case "MissingKey":
      return { why: failure("REQUIRED").why }
    default:
      return "annotations" in issue ? issue.annotations : issue.ast.annotations
  }
}

/** The code of an issue's message, if its schema gives one with the message. */
export const issueWhy = (issue: SchemaIssue.Issue, message: string): { readonly why?: WhyType } => {
  const why = Option.getOrUndefined(decodeWhy(annotationsOf(issue)?.why))
  return why !== undefined && englishSentence(why) === message ? { why } : {}
}
