import type { Options } from "./options.ts"
import type { RunningGateway } from "./startGateway.ts"

/** What programs read: one line. */
export const lineFor = (gateway: RunningGateway): string => JSON.stringify(gateway)

/** What people read once the gateway answers. */
export const textFor = (gateway: RunningGateway, { home }: Pick<Options, "home">): string => `
Gateway ${gateway.version} is ready.

  GATEWAY_URL=${gateway.url}
  GATEWAY_TOKEN=${gateway.token}

The console in front of it, from another terminal:

  GATEWAY_URL=${gateway.url} GATEWAY_TOKEN=${gateway.token} npm start

Its model echoes, but for the words slow, tool, approval, question, think, fail and hang; --help has more.
Its own command line: ${gateway.cli}
Ctrl-C stops it${home === undefined ? " and removes its home" : `; its home stays in ${home}`}.
`
