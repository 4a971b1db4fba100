import { serverSaid } from "./serverSaid.ts"

/** What must be different in a request; the field comes before it. */
export const FIELD_SENTENCES: ReadonlyArray<string> = [
  serverSaid("must be text"),
  serverSaid("must be at most {max} characters"),
  serverSaid("must be 1 to {max} characters"),
  serverSaid("must be one of: {words}"),
  serverSaid("must be a number"),
  serverSaid("must be at least {min}"),
  serverSaid("must be from {min} to {max}"),
  serverSaid("must be a whole number of at least {min}"),
  serverSaid("must be a whole number from {min} to {max}"),
  serverSaid("must be true or false"),
  serverSaid("must be a list"),
  serverSaid("must have at most {max} entries"),
  serverSaid("must have {min} to {max} entries"),
  serverSaid("is required"),
  serverSaid("can't be changed this way"),
  serverSaid("must be a JSON object"),
  serverSaid("isn't known here"),
  serverSaid("isn't in the right form"),
  serverSaid("isn't valid"),
  serverSaid("must be a time such as 22:00"),
  serverSaid("must be the name of a time zone, such as Europe/Berlin"),
  serverSaid("must not begin and end at the same time")
]
