/** Why messages, notifications, agents' tokens or gateways were refused. */
export const MESSAGE_FAILURES = {
  DELIVERY_UNKNOWN:
    "The connection broke while this was being sent, and the gateway doesn't say whether it has it. Look at the conversation, then decide.",
  NOT_SENT_AFTER_FAILURE: "Not sent because the previous response failed.",
  NOT_SENT_SESSION_DELETED: "Not sent because the session was deleted.",
  NOT_SENT_SESSION_CLEARED: "Not sent because the session was cleared.",
  MESSAGE_NOT_FOUND: "There's no such message: it was taken back, or the agent has it.",
  ATTACHMENTS_TOO_LARGE: "A message's attachments can be 12 MB in total: send fewer or smaller ones.",
  SESSION_OUTBOX_FULL: "{max} messages are waiting in this session already: take some of them back first.",
  OUTBOX_FULL: "The waiting messages already take up 200 MB: take some of them back first.",
  EMPTY_MESSAGE: "must not be empty unless something is attached",
  UPLOADS_FULL: "The files sent to this agent already take up 2 GB: delete some in its folder “uploads” first.",
  PUSH_RATE_LIMITED: "{service} isn't accepting more notifications right now (429): try again later.",
  PUSH_SERVICE_FAILED: "{service} failed ({status}), so the notification may not have arrived: try again later.",
  PUSH_REDIRECTED: "{service} redirected the notification ({status}), which isn't followed.",
  PUSH_TOO_LARGE: "{service} refused the notification: it's too large (413).",
  PUSH_KEY_REFUSED:
    "{service} doesn't accept the console's key ({status}): switch notifications off and on again on that device.",
  PUSH_REJECTED:
    "{service} rejected the notification ({status}): switch notifications off and on again on that device.",
  PUSH_DEVICE_DROPPED:
    "Several notifications in a row were refused, so this device gets no more: switch notifications off and on again on that device.",
  PUSH_KEY_CHANGED:
    "The console has a new key for notifications, so this device gets none: switch notifications off and on again on that device.",
  PUSH_PRIVATE_ADDRESS:
    "{host} leads to a private address, so nothing was sent: check the DNS of the console's machine.",
  PUSH_TIMED_OUT: "{host} didn't respond within 10 seconds: try again later.",
  PUSH_UNREACHABLE: "Couldn't reach {host}: check the internet connection of the console's machine.",
  PUSH_OFF_IN_DEMO: "the demo sends no notifications, since a push service would pass them on",
  PUSH_SERVICE_NOT_ALLOWED: "{host} isn't a push service the console may contact: check PUSH_ALLOWED_ORIGINS.",
  PUSH_KEYS_UNREADABLE: "The device's keys can't be read: switch notifications off and on again.",
  PUSH_DEVICE_GONE: "That device no longer accepts notifications, so it was removed: switch them on there again.",
  PUSH_DEVICE_NOT_FOUND: "there's no such device: it was removed, or its browser ended its notifications",
  TOO_MANY_PUSH_DEVICES: "there are 100 devices already: remove one of them first",
  GATEWAY_TOO_OLD_FOR_TOOLS: "This gateway's agents can't use tools from outside: update the gateway.",
  GATEWAY_AGENTS_ON: "The gateway's agents can use the board already.",
  SERVER_NAME_TAKEN:
    "The gateway has a server named agent-console that this console didn't add. Remove it on the gateway's machine with `openclaw mcp unset agent-console`, then try again.",
  GATEWAY_TOKEN_EXISTS: "There is a token named gateway already: revoke it, then try again.",
  TOO_MANY_AGENT_TOKENS: "There are {max} tokens already: revoke one of them first.",
  TOO_MANY_TOKENS: "there are {max} tokens already: revoke one of them first",
  TOKEN_NOT_FOUND: "there's no such token: it was revoked before",
  TOKEN_NAME_TAKEN: "another token has this name: choose another one, or revoke that token first",
  GATEWAY_ID_TAKEN: "the gateway {name} has this id already",
  GATEWAY_ADDRESS_TAKEN: "the gateway {name} has this address already",
  PRIMARY_GATEWAY: "this gateway is set by GATEWAY_URL and GATEWAY_TOKEN: change it there",
  GATEWAY_TOKEN_NEEDED: "another host or port needs the token of the gateway there",
  TOO_MANY_GATEWAYS: "there are {max} gateways already: remove one of them first",
  MUST_BE_A_GATEWAY_ID: "must be 1 to 64 small letters, digits and hyphens",
  MUST_BE_ONE_LINE: "must be 1 to {max} characters in one line",
  MUST_BE_A_GATEWAY_ADDRESS: "must be an http, https, ws or wss address with nothing after the port",
  MUST_BE_A_TOKEN: "must be 1 to 4096 characters without spaces",
  MUST_BE_AN_ORIGIN: "must be an address such as http://192.168.1.20:3080, without a path"
} as const
