import { judgeClose, judgeRefusal } from "../../../../src/contract/gatewayCodes.ts"
import { ADDED_NAMES, PRIMARY_NAMES } from "../../../../src/contract/gatewayNames.ts"
import { GATEWAY_AGENTS_PROBLEMS } from "../../../../src/services/access/agents/gatewayAgentsState.ts"
import { LOST, runFailure, TIMED_OUT } from "../../../../src/services/board/runs/runFailure.ts"
import { callFailed } from "../../../../src/services/gateway/client/callFailures.ts"
import * as cli from "../../../../src/services/gateway/client/cliFailures.ts"
import { GatewayError } from "../../../../src/services/gateway/client/GatewayError.ts"
import * as failures from "../../../../src/services/gateway/client/gatewayFailures.ts"
import { unknownModel } from "../../../../src/services/gateway/sessions/sessionRules.ts"
import * as outbox from "../../../../src/services/outbox/outboxDelivery.ts"
import { storeFault } from "../../../../src/services/platform/sqlite/storeFault.ts"
import { fileErrorOf } from "../../../../src/services/platform/storage/fileErrors.ts"
import { BROKEN, judgeResponse, judgeSilence, NEW_KEY } from "../../../../src/services/push/deliveryVerdict.ts"
import * as vendors from "../../../../src/services/voice/vendors/vendorCall.ts"
import { VOICE_IN_SOURCES } from "./voiceSaid.ts"

export const URL = "ws://10.0.0.5:18789"

/** What the server says of a gateway that can't be reached or refuses the token, for the first one and for added ones. */
export const SAID = [
  failures.connecting.message,
  failures.starting.message,
  failures.noToken.message,
  failures.linkEnded("silent").message,
  failures.linkEnded(1006).message,
  failures.linkEnded(1012).message,
  failures.timedOut("sessions.list").message,
  ...[PRIMARY_NAMES, ADDED_NAMES].flatMap((names) => [
    ...[
      { code: "ECONNREFUSED" },
      { code: "ENOTFOUND" },
      { code: "CERT_HAS_EXPIRED" },
      { code: "EPIPE" },
      { status: 404 },
      { status: 307 }
    ].map((failure) => failures.openFailed(URL, failure, names).message),
    failures.noHandshake(URL, names).message,
    judgeRefusal({ code: "AUTH_TOKEN_MISMATCH" }, names).sentence
  ])
]

/** Refused calls by the gateway's finer code, with what was given and without. */
const CALLS = [
  { code: "UNKNOWN_METHOD" },
  { code: "MISSING_SCOPE" },
  { code: "UNAUTHORIZED_ROLE" },
  { code: "OVERRIDE_NOT_ALLOWED" },
  { code: "RATE_LIMITED" },
  { code: "CONFIG_CHANGED" },
  { code: "UNKNOWN_MODEL", params: { model: "acme/one" } },
  { code: "MODEL_NEEDS_PLUGIN", params: { model: "acme/one" } },
  { code: "INVALID_THINKING_LEVEL", params: { thinkingLevel: "high" } },
  { code: "INVALID_THINKING_LEVEL", params: { thinkingLevel: "high" }, message: "(use off|low|medium)" },
  { code: "LABEL_IN_USE", params: { label: "Notes" } },
  { code: "SESSION_KEY", params: { key: "x" } },
  { code: "REQUEST_SETTLED" },
  { code: "CRON_JOB_NOT_FOUND" },
  { code: "CRON_INCOMPLETE" },
  { code: "CRON_NEVER", params: { schedule: { expr: "0 0 31 2 *" } } },
  { code: "CRON_EXPRESSION", params: { schedule: { expr: "x" } } },
  { code: "CRON_ZONE", params: { schedule: { tz: "Nowhere" } } },
  { code: "CRON_TIME", params: { schedule: { at: "x" } } },
  { code: "CRON_TIME_PAST", params: { schedule: { at: "x" } } },
  { code: "CRON_TIME_FAR", params: { schedule: { at: "x" } } },
  { code: "CRON_PAYLOAD" },
  { code: "CRON_AGENT", params: { agentId: "nobody" } },
  { code: "CRON_WEBHOOK", params: { delivery: { to: "x" } } },
  { code: "UNKNOWN_CHANNEL", params: { delivery: { channel: "fax" } } }
]

const refused = (code: string, message: string, params: object, detail?: string) => {
  const error = { code, message, detail, requestId: undefined, retryable: undefined, retryAfterMs: undefined }
  return callFailed({ method: "sessions.patch", params, error }).message
}

/** Codes with which the gateway refuses the connection. */
const REFUSALS = [
  "AUTH_TOKEN_NOT_CONFIGURED",
  "AUTH_PASSWORD_MISSING",
  "AUTH_RATE_LIMITED",
  "AUTH_DEVICE_TOKEN_MISMATCH",
  "DEVICE_IDENTITY_REQUIRED",
  "DEVICE_AUTH_SIGNATURE_INVALID",
  "DEVICE_AUTH_SIGNATURE_EXPIRED",
  "CONTROL_UI_ORIGIN_NOT_ALLOWED",
  "PROTOCOL_MISMATCH",
  "AUTH_OTHER",
  "OTHER"
]

/** What the server says of calls and of a refused connection. */
export const SAID_OF_CALLS = [
  ...CALLS.flatMap(({ code, message = "", params = {} }) => [
    refused("INVALID_REQUEST", message, params, code),
    refused("INVALID_REQUEST", message, {}, code)
  ]),
  refused("FORBIDDEN", "", {}),
  refused("INVALID_REQUEST", "", {}),
  refused("INVALID_REQUEST", "invalid sessions.patch params: at /label: is too long", { label: "Notes" }),
  refused("INVALID_REQUEST", "invalid sessions.patch params: unexpected property 'label'", { label: "Notes" }),
  refused("OTHER", "", {}),
  unknownModel("acme/one", []),
  unknownModel("acme/one", [{ id: "acme/two" }]),
  failures.wrongShape("sessions.list").message,
  failures.toolNotAllowed("cron").message,
  failures.notApproved(undefined).message,
  failures.notApproved("a1b2").message,
  failures.linkEnded(1009).message,
  failures.linkEnded(4001).message,
  ...[PRIMARY_NAMES, ADDED_NAMES].flatMap((names) => REFUSALS.map((code) => judgeRefusal({ code }, names).sentence)),
  judgeClose(1008, "unauthorized")?.sentence ?? "",
  ...Object.values(cli).flatMap((made) => (made instanceof GatewayError ? [made.message] : []))
]

const sentenceOf = (verdict: object): ReadonlyArray<string> =>
  "sentence" in verdict && typeof verdict.sentence === "string" ? [verdict.sentence] : []

/** What the server says of messages, notifications and agents. */
export const SAID_OF_MESSAGES = [
  ...Object.values(outbox).filter((value) => typeof value === "string"),
  ...Object.values(GATEWAY_AGENTS_PROBLEMS),
  ...[BROKEN, NEW_KEY],
  ...["The push service", "hooks.example"].flatMap((service) =>
    [429, 500, 302, 413, 403, 400].flatMap((status) =>
      sentenceOf(judgeResponse({ status }, { attempt: 1, now: 0, service }))
    )
  ),
  ...(["private", "timeout", "unreachable"] as const).flatMap((silence) =>
    sentenceOf(judgeSilence(silence, { attempt: 1, now: 0, host: "push.example" }))
  )
]

/** The gateway's reasons for a failed run. */
const REASONS = [
  "auth",
  "billing",
  "rate_limit",
  "overloaded",
  "timeout",
  "tls_certificate",
  "context_overflow",
  "model_not_found",
  "format",
  "session_expired",
  "empty_response"
]
const NAMES = [{}, { provider: "acme", model: "one" }]

/** What the server says of cards and files. */
export const SAID_OF_WORK = [
  ...NAMES.flatMap((names) => [
    ...REASONS.map((reason) => runFailure(undefined, { failoverReason: reason, ...names })),
    ...["temporarily disabled", "generation was superseded", "quota", "overloaded", "something else"].map((text) =>
      runFailure(text, names)
    )
  ]),
  LOST,
  TIMED_OUT,
  ...["ELOOP", "ENAMETOOLONG", "EINVAL", "EXDEV", "EEXIST", "EACCES", "EROFS", "ENOSPC", "EIO"].map((code) => {
    const error = fileErrorOf({ code })
    return "message" in error ? error.message : ""
  }),
  storeFault("the board's file")({ errcode: 13 }).message
]

/** What the server says of speech providers. */
export const SAID_OF_VOICE = [vendors.tooSlow, vendors.notReached, vendors.notUnderstood, vendors.withoutKey].map(
  (said) => said(vendors.VENDOR_A).message
)

const services = "src/services"

/** Sentences that no test reaches, by file; {} is a value. */
export const IN_SOURCES: Readonly<Record<string, ReadonlyArray<string>>> = {
  [`${services}/board/runs/BoardRuns.ts`]: ["its gateway was removed from this console"],
  [`${services}/board/runs/runCarrier.ts`]: [
    "the console that ran this task is gone, and this console's gateway doesn't know its session"
  ],
  [`${services}/board/store/postgresFault.ts`]: [
    "couldn't read or write the board's database: the console's log has the cause",
    "the board's database can't be reached: the console keeps trying",
    "the board's database is busy: try again in a moment",
    "the board's database took too long to answer: try again in a moment"
  ],
  [`${services}/board/tasks/taskRules.ts`]: ["the task has no active run", "the task isn't in review"],
  [`${services}/inbox/boardDesk.ts`]: [
    "action: the card's gateway was removed: choose another one on the card",
    "action: this proposal's card no longer exists: reject the proposal"
  ],
  [`${services}/inbox/inboxRules.ts`]: [
    "{}: there's no such option",
    "{}: choose one of the options",
    "{}: takes one answer only",
    "answers.{}: isn't one of the questions",
    "{}: is required"
  ],
  [`${services}/knowledge/agents/placeWorkspace.ts`]: [
    "The gateway didn't say where the workspace of {} is. Try again in a moment.",
    "Couldn't open the workspace of {}: check its folder's permissions.",
    "The workspace of {} isn't on this machine. The gateway creates it when the agent first runs.",
    "There is a file where the workspace of {} should be: move it away."
  ],
  [`${services}/knowledge/files/GuardedRoot.ts`]: [
    "path: must be inside the folder",
    "path: isn't a file",
    "path: the folder itself can't be changed",
    "path: is a link to something that doesn't exist"
  ],
  [`${services}/knowledge/files/gatewayFiles.ts`]: [
    "This gateway doesn't show its agents' files: look at them on its machine, or update it.",
    "path: the gateway only shows text files of up to 256 KB",
    "path: is a picture; look at it on the gateway's machine"
  ],
  [`${services}/knowledge/files/makeAgentFiles.ts`]: [
    "path: is a binary file; download it instead",
    "path: is missing",
    "path: is not a file",
    "the file is larger than 2 MB: download it instead",
    "a file can be at most 2 MB",
    "a folder with that name already exists: rename it first",
    "something with that name already exists: rename it first",
    "its folder doesn't exist: create the folder first"
  ],
  [`${services}/knowledge/files/renameWithoutReplacing.ts`]: [
    "something with that name already exists: choose another name"
  ],
  [`${services}/knowledge/files/trash.ts`]: ["its folder no longer exists: restore or create the folder first"],
  [`${services}/knowledge/uploads/keepUpload.ts`]: ["there are too many files of that name already: rename it first"],
  [`${services}/search/Search.ts`]: [
    "q: enter at least one word",
    "cursor: it's damaged, or of another search; start from the first page"
  ],
  [`${services}/search/store/searchThread.ts`]: ["the disk has too little room for the search index"],
  [`${services}/usage/TokenUsage.ts`]: ["couldn't count the token usage: the console's log has the cause"],
  ...VOICE_IN_SOURCES,
  [`${services}/gateway/crons/cronSchemas.ts`]: [
    "must be a cron expression, such as 0 9 * * *, or an object",
    "is read-only: change the schedule instead"
  ],
  "src/contract/schema/task.ts": ["must have a different id for each item"],
  "src/contract/schema/fields.ts": [
    "must be text",
    "must be at most {} characters",
    "must be 1 to {} characters",
    "must be one of: {}",
    "must be a number",
    "must be at least {}",
    "must be from {} to {}",
    "must be a whole number of at least {}",
    "must be a whole number from {} to {}",
    "must be true or false",
    "must be a list",
    "must have at most {} entries",
    "must have {} to {} entries",
    "is required",
    "can't be changed this way",
    "must be a JSON object"
  ],
  [`${services}/push/pushSchemas.ts`]: [
    "must be a time such as 22:00",
    "must be the name of a time zone, such as Europe/Berlin",
    "must not begin and end at the same time"
  ],
  "src/http/board/boardErrors.ts": [
    "a task keeps at most {} comments: delete some first",
    "a board keeps at most {} views: delete one first",
    "this proposal's task no longer exists: reject the proposal"
  ],
  "src/http/gateway/inbox/inboxErrors.ts": ["There's no such item: items that have ended are kept for 30 days."],
  "src/http/knowledge/agents/agentErrorBodies.ts": ["The gateway has no agent called {}. Choose another one."],
  "src/http/knowledge/documents/DocumentsApi.ts": [
    "the document has changed since you opened it: reload it, then save"
  ],
  "src/http/knowledge/memory/MemoryApi.ts": ["the section has changed since you opened it: reload it, then save"],
  "src/http/middleware/issueSentence.ts": [
    "isn't known here",
    "isn't in the right form",
    "isn't valid",
    "the request isn't valid"
  ],
  [`${services}/gateway/client/GatewayTools.ts`]: [
    "The gateway's tool failed: check the gateway's log for the reason.",
    "The gateway rejected the console's token: {}."
  ],
  [`${services}/gateway/crons/Crons.ts`]: [
    "The gateway didn't start the job: check that its schedule is on, and check the gateway's log."
  ],
  [`${services}/gateway/media/GatewayMedia.ts`]: [
    "The gateway didn't send the file in time: try again, and check the gateway's log if it keeps happening.",
    "The gateway stopped while sending the file: try again.",
    "The gateway refused to send the file: check GATEWAY_TOKEN and the gateway's settings.",
    "The gateway couldn't send the file: check the gateway's log for the reason.",
    "the gateway no longer has this file",
    "this file type can't be shown here",
    "the file is larger than 64 MB, the limit for showing it here"
  ],
  [`${services}/inbox/gatewayDesk.ts`]: ["The gateway didn't take the answer: check it and try again."],
  "src/http/gateway/crons/CronsApi.ts": [
    "The gateway has no cron job with this id.",
    "The job is already running: wait until it has ended.",
    "The gateway limits how often jobs can be changed: try again in a minute."
  ],
  [`${services}/access/agents/gatewayAgentsState.ts`]: [
    "must be an address such as http://192.168.1.20:3080, without a path"
  ],
  [`${services}/gateway/registry/gatewayEntry.ts`]: [
    "must be 1 to 64 small letters, digits and hyphens",
    "must be 1 to {} characters in one line",
    "must be an http, https, ws or wss address with nothing after the port",
    "must be 1 to 4096 characters without spaces"
  ],
  [`${services}/push/PushSender.ts`]: [
    "That device no longer accepts notifications, so it was removed: switch them on there again."
  ],
  [`${services}/push/Recipients.ts`]: [
    "{} isn't a push service the console may contact: check PUSH_ALLOWED_ORIGINS.",
    "The device's keys can't be read: switch notifications off and on again."
  ],
  "src/http/access/agents/AgentTokensApi.ts": [
    "there's no such token: it was revoked before",
    "another token has this name: choose another one, or revoke that token first",
    "there are {} tokens already: revoke one of them first"
  ],
  "src/http/gateway/gateways/GatewaysApi.ts": [
    "this gateway is set by GATEWAY_URL and GATEWAY_TOKEN: change it there",
    "token: another host or port needs the token of the gateway there",
    "there are {} gateways already: remove one of them first"
  ],
  "src/http/gateway/push/PushApi.ts": [
    "there's no such device: it was removed, or its browser ended its notifications",
    "there are 100 devices already: remove one of them first"
  ],
  "src/http/knowledge/uploads/UploadsApi.ts": [
    "The files sent to this agent already take up 2 GB: delete some in its folder “uploads” first."
  ],
  "src/http/gateway/gateways/unknownGateway.ts": ["there's no such gateway: it may have been removed"],
  "src/http/gateway/outbox/outboxErrors.ts": [
    "There's no such message: it was taken back, or the agent has it.",
    "There's no gateway with this id.",
    "text: must not be empty unless something is attached",
    "A message's attachments can be 12 MB in total: send fewer or smaller ones.",
    "{} messages are waiting in this session already: take some of them back first.",
    "The waiting messages already take up 200 MB: take some of them back first."
  ],
  "src/http/search/SearchApi.ts": ["there's no gateway with that id"]
}
