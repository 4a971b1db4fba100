import { spawnSync } from "node:child_process"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { exitCodes } from "../../src/cli/exitCodes.ts"
import { runConsole, temporaryDirectory } from "../support/runConsole.ts"

const completions = (shell: string) =>
  Effect.gen(function* () {
    const ended = yield* runConsole({ directory: yield* temporaryDirectory, args: ["completions", shell] })
    assert.strictEqual(ended.code, exitCodes.ok, ended.stderr)
    return ended.stdout
  })

/** What bash offers after these words. */
const offered = (script: string, words: ReadonlyArray<string>): string => {
  const list = words.map((word) => `"${word}"`).join(" ")
  const { stdout, stderr, status } = spawnSync(
    "bash",
    [
      "-c",
      `${script}
COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; COMP_LINE="${words.join(" ")}"; COMP_POINT=\${#COMP_LINE}
function=$(complete -p agent-console | sed 's/.*-F \\([^ ]*\\).*/\\1/')
"$function"; printf '%s\\n' "\${COMPREPLY[@]}"`
    ],
    { encoding: "utf8" }
  )
  assert.strictEqual(status, 0, stderr)
  return stdout
}

it.live("bash completes commands, their commands and their flags", () =>
  Effect.gen(function* () {
    const script = yield* completions("bash")
    assert.match(offered(script, ["agent-console", "up"]), /^update\b/m)
    assert.match(offered(script, ["agent-console", "service", "in"]), /^install\b/m)
    assert.match(offered(script, ["agent-console", "update", "--roll"]), /^--rollback\b/m)
  })
)

it.live("zsh and fish have theirs, and another shell is a usage error", () =>
  Effect.gen(function* () {
    assert.include(yield* completions("zsh"), "#compdef agent-console")
    const fish = yield* completions("fish")
    assert.include(fish, "complete -c agent-console")
    assert.notInclude(fish, "--completions")
    const ended = yield* runConsole({ directory: yield* temporaryDirectory, args: ["completions", "tcsh"] })
    assert.strictEqual(ended.code, exitCodes.usage)
  })
)
