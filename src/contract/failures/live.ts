/** Why the console closes a page's connection, or doesn't open one of its channels. */
export const LIVE_FAILURES = {
  STOPPING: "The console is stopping or restarting.",
  BAD_FRAME: "The console couldn't read what this client sent.",
  SIGNED_OUT: "The sign-in has ended: sign in again.",
  OTHER_VERSION: "This page and the console are of different versions: reload the page.",
  NO_HELLO: "The client didn't say hello in time.",
  TOO_MANY_SOCKETS: "Too many pages of this console are open: close some.",
  TOO_SLOW: "The connection is too slow for what happens on the console.",
  TOO_MANY_FRAMES: "This client sent too much in a short time: try again in a moment.",
  TOO_MANY_CHANNELS: "This client shows too much at once.",
  UNKNOWN_GATEWAY: "There's no gateway with this id.",
  GATEWAY_REMOVED: "The gateway was removed from the console.",
  NOT_TRUSTED: "Sign-in is off and this isn't the console's machine, so the gateway's token is needed.",
  NO_RIGHT: "This isn't allowed here."
} as const
