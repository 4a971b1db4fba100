/**
 * Node's HTTP module for what answers before the app is loaded. An import reads its three browser classes too, for which
 * Node loads all of fetch: a quarter of the time to the first response.
 */
export const { createServer, IncomingMessage, ServerResponse, STATUS_CODES, validateHeaderName, validateHeaderValue } =
  process.getBuiltinModule("node:http")
