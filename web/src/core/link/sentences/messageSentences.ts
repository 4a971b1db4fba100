import { serverSaid } from "./serverSaid.ts"

/** About messages, notifications, agents and gateways. */
export const MESSAGE_SENTENCES: ReadonlyArray<string> = [
  serverSaid(
    "The connection broke while this was being sent, and the gateway doesn't say whether it has it. Look at the conversation, then decide."
  ),
  serverSaid("Not sent because the previous response failed."),
  serverSaid("Not sent because the session was deleted."),
  serverSaid("Not sent because the session was cleared."),
  serverSaid("The gateway no longer has this message, and the agent hasn't read it."),
  serverSaid("There's no such message: it was taken back, or the agent has it."),
  serverSaid("A message's attachments can be 12 MB in total: send fewer or smaller ones."),
  serverSaid("{max} messages are waiting in this session already: take some of them back first."),
  serverSaid("The waiting messages already take up 200 MB: take some of them back first."),
  serverSaid("must not be empty unless something is attached"),
  serverSaid("The files sent to this agent already take up 2 GB: delete some in its folder “uploads” first."),
  serverSaid("{service} isn't accepting more notifications right now (429): try again later."),
  serverSaid("{service} failed ({status}), so the notification may not have arrived: try again later."),
  serverSaid("{service} redirected the notification ({status}), which isn't followed."),
  serverSaid("{service} refused the notification: it's too large (413)."),
  serverSaid(
    "{service} doesn't accept the console's key ({status}): switch notifications off and on again on that device."
  ),
  serverSaid("{service} rejected the notification ({status}): switch notifications off and on again on that device."),
  serverSaid(
    "Several notifications in a row were refused, so this device gets no more: switch notifications off and on again on that device."
  ),
  serverSaid(
    "The console has a new key for notifications, so this device gets none: switch notifications off and on again on that device."
  ),
  serverSaid("{host} leads to a private address, so nothing was sent: check the DNS of the console's machine."),
  serverSaid("{host} didn't respond within 10 seconds: try again later."),
  serverSaid("Couldn't reach {host}: check the internet connection of the console's machine."),
  serverSaid("the demo sends no notifications, since a push service would pass them on"),
  serverSaid("{host} isn't a push service the console may contact: check PUSH_ALLOWED_ORIGINS."),
  serverSaid("The device's keys can't be read: switch notifications off and on again."),
  serverSaid("That device no longer accepts notifications, so it was removed: switch them on there again."),
  serverSaid("there's no such device: it was removed, or its browser ended its notifications"),
  serverSaid("there are 100 devices already: remove one of them first"),
  serverSaid("This gateway's agents can't use tools from outside: update the gateway."),
  serverSaid("The gateway's agents can use the board already."),
  serverSaid(
    "The gateway has a server named agent-console that this console didn't add. Remove it on the gateway's machine with `openclaw mcp unset agent-console`, then try again."
  ),
  serverSaid("There is a token named gateway already: revoke it, then try again."),
  serverSaid("There are {max} tokens already: revoke one of them first."),
  serverSaid("there are {max} tokens already: revoke one of them first"),
  serverSaid("there's no such token: it was revoked before"),
  serverSaid("another token has this name: choose another one, or revoke that token first"),
  serverSaid("the gateway {name} has this id already"),
  serverSaid("the gateway {name} has this address already"),
  serverSaid("this gateway is set by GATEWAY_URL and GATEWAY_TOKEN: change it there"),
  serverSaid("another host or port needs the token of the gateway there"),
  serverSaid("there are {max} gateways already: remove one of them first"),
  serverSaid("must be 1 to 64 small letters, digits and hyphens"),
  serverSaid("must be 1 to {max} characters in one line"),
  serverSaid("must be an http, https, ws or wss address with nothing after the port"),
  serverSaid("must be 1 to 4096 characters without spaces"),
  serverSaid("must be an address such as http://192.168.1.20:3080, without a path")
]
