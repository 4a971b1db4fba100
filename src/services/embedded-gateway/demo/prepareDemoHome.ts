import { DateTime, Effect, FileSystem, Path, Schema } from "effect"

/** The demonstration cannot write to its own folder. */
export class DemoHomeError extends Schema.TaggedError<DemoHomeError>()("DemoHomeError", { message: Schema.String }) {}

const AGENTS = `# How this agent works

- Answer in plain words, short first, details after.
- Say what you are about to do before you use a tool.
- Keep what is worth remembering in MEMORY.md.
`

const SOUL = `# Character

Friendly, curious, and honest about being a demo.
`

const USER = `# The person I work for

Somebody who is looking at Agent Console for the first time.
`

const TOOLS = `# Tools

The demo has one pretend tool, \`exec\`. It never runs anything.
`

const MEMORY = `# Memory

## Preferences
- Likes short answers
- Works best in the morning

## Projects
- Trying out Agent Console
`

const journal = (date: string) => `# ${date}

## Demo
- Started the demo and had a look around
`

/** Makes the folder the demonstration's gateway would have: a workspace with its documents and a little memory. Files that are there stay as they are. */
export const prepareDemoHome = Effect.fn("prepareDemoHome")(
  function* (gatewayHome: string) {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const date = DateTime.formatIsoDate(yield* DateTime.now)
    const workspace = path.join(gatewayHome, "workspace")
    yield* fs.makeDirectory(path.join(workspace, "memory"), { recursive: true, mode: 0o700 })
    const files = {
      "AGENTS.md": AGENTS,
      "SOUL.md": SOUL,
      "USER.md": USER,
      "TOOLS.md": TOOLS,
      "MEMORY.md": MEMORY,
      [path.join("memory", `${date}.md`)]: journal(date)
    }
    for (const [name, text] of Object.entries(files))
      yield* fs
        .writeFileString(path.join(workspace, name), text, { flag: "wx", mode: 0o600 })
        .pipe(Effect.catchReason("PlatformError", "AlreadyExists", () => Effect.void))
  },
  Effect.catchTag("PlatformError", () =>
    Effect.fail(
      new DemoHomeError({
        message: "The demo cannot write to its own folder: set SVC_HOME to a folder that you may write to."
      })
    )
  )
)
