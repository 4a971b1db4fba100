import { say } from "../language/say.ts"

interface Effect {
  readonly text: string
  /** Programs that have it, whatever follows. */
  readonly programs?: ReadonlyArray<string>
  /** A program with its arguments that has it. */
  readonly words?: RegExp
}

const EFFECTS: ReadonlyArray<Effect> = [
  {
    text: say("Deletes files"),
    programs: ["rm", "rmdir", "unlink", "shred", "del", "rd"],
    words: /^(?:find\b.* (?:-delete\b|-exec(?:dir)? rm\b)|git clean\b)/s
  },
  {
    text: say("Overwrites files"),
    programs: ["mv", "tee", "truncate"],
    words: /^(?:sed\b.* -i|[^>]*[^-=>&\d]>\s*(?!&|>|\/dev\/null)\S)/s
  },
  { text: say("Writes to a disk directly"), programs: ["dd", "fdisk", "parted"], words: /^mkfs/ },
  { text: say("Changes permissions"), programs: ["chmod", "chown", "chgrp", "setfacl"] },
  {
    text: say("Discards changes in a repository"),
    words: /^git (?:reset\b.* --hard|checkout\b.* --|restore\b|push\b.* (?:-f\b|--force))/s
  },
  {
    text: say("Stops programs"),
    programs: ["kill", "pkill", "killall", "shutdown", "reboot", "halt"],
    words: /^(?:systemctl|service)\b.* (?:stop|restart|disable)\b/s
  },
  {
    text: say("Installs software"),
    words: /^(?:npm|pnpm|yarn|pip3?|apt|apt-get|dnf|brew|cargo|gem|go) (?:.* )?(?:i|install|add)\b/s
  },
  {
    text: say("Uses the network"),
    programs: ["curl", "wget", "ssh", "scp", "sftp", "rsync", "nc", "ftp"],
    words: /^git (?:push|pull|fetch|clone)\b/
  },
  { text: say("Runs as administrator"), programs: ["sudo", "doas", "su"] }
]

const DOWNLOADED: Effect = { text: say("Runs a downloaded program"), words: /^(?:ba|z|da)?sh(?: -s?)?$/ }

/** Words before a program that only say how it's run. */
const BEFORE = /^(?:[A-Za-z_]\w*=\S*|env|xargs(?: -\w+(?: \d+)?)*|nohup|time|exec|command)\s+/
const AS_OTHER = /^(?:sudo|doas)\s+(?:-\S+\s+)*(.+)$/s
const SHELL = /^(?:\S*\/)?(?:ba|z|da)?sh\s+-\w*c\s+(["'])(.*)\1$/s

/** The programs of a command with their arguments, in turn. */
const programsOf = (command: string): ReadonlyArray<string> =>
  command
    .split(/&&|\|\|?|;|\n|\$\(|`/)
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .flatMap((part): ReadonlyArray<string> => {
      let words = part
      while (BEFORE.test(words)) words = words.replace(BEFORE, "")
      const asOther = AS_OTHER.exec(words)?.[1]
      const plain = words.replace(/^\S*\//, "")
      return asOther === undefined ? [plain] : [plain, ...programsOf(asOther)]
    })

const has = ({ programs = [], words }: Effect, program: string): boolean =>
  programs.includes(/^\S*/.exec(program)?.[0] ?? "") || words?.test(program) === true

/**
 * What a command looks like it does beyond reading, in a few words each. Only the names of its programs and their options are
 * read, so finding nothing promises nothing.
 */
export function commandEffects(command: string): ReadonlyArray<string> {
  const programs = programsOf(SHELL.exec(command.trim())?.[2] ?? command)
  const all = command.includes("|") ? [...EFFECTS, DOWNLOADED] : EFFECTS
  return all.filter((effect) => programs.some((program) => has(effect, program))).map(({ text }) => text)
}
