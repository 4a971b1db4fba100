/** The form of the gateway's request ids; anything else is never put into a shell command. */
const REQUEST_ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/

/** The id of a pending approval that is safe to show inside a shell command; `undefined` for anything else. */
export const safeRequestId = (value: unknown): string | undefined =>
  typeof value === "string" && REQUEST_ID.test(value) ? value : undefined

/** What a person runs on the gateway host: the approval itself, or the list that shows the request. */
export const approvalCommand = (requestId: string | null | undefined): string =>
  requestId == null ? "openclaw devices list" : `openclaw devices approve ${requestId}`
