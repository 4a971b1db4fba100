/** Something a person can do from the palette, by keys, or both. */
export interface Command {
  /** Unique while registered, such as `board.new`; a later registration with the same id wins. */
  readonly id: string
  /** A verb first: "Create a task"; a place by its name. */
  readonly label: string
  /** Heading in the palette and in the list of shortcuts: "Board". */
  readonly group: string
  /** Keys in the format of `keys.ts`: `mod+k`, `g b`, `?`. The browser's own keys are never taken. */
  readonly keys?: string
  /** The keys work in text fields, too. */
  readonly whileTyping?: boolean
  /** Additional search words. */
  readonly keywords?: string
  /** Whether it can be done now; defaults to always. */
  readonly when?: () => boolean
  /** Only listed in the help: its keys are handled where they are pressed. */
  readonly helpOnly?: boolean
  readonly run: () => unknown
}

export interface CommandRegistry {
  /** Adds commands until the returned function is called; they are asked for whenever somebody looks, so that names are current. */
  register(commands: () => ReadonlyArray<Command>): () => void
  /** What can be done now, the screen's own commands before the shell's. */
  available(): ReadonlyArray<Command>
}

/** The available commands: the shell's for the life of the page, a screen's while it is shown. */
export function createCommandRegistry(): CommandRegistry {
  const registered = new Set<() => ReadonlyArray<Command>>()
  return {
    register: (commands) => {
      registered.add(commands)
      return () => registered.delete(commands)
    },
    available: () => {
      const byId = new Map<string, Command>()
      for (const commands of [...registered].reverse())
        for (const command of commands())
          if (!byId.has(command.id) && command.when?.() !== false) byId.set(command.id, command)
      return [...byId.values()]
    }
  }
}
