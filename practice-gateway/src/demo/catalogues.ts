import { DEMO_MODELS, levelRows } from "../sessions/models.ts"

const NOTHING_MISSING = { bins: [], anyBins: [], env: [], config: [], os: [] }

interface DemoSkill {
  readonly name: string
  readonly description: string
  readonly emoji: string
  readonly homepage?: string
  readonly missing?: Partial<Readonly<Record<keyof typeof NOTHING_MISSING, ReadonlyArray<string>>>>
  readonly install?: ReadonlyArray<{
    readonly id: string
    readonly kind: string
    readonly label: string
    readonly bins: ReadonlyArray<string>
  }>
  readonly disabled?: boolean
  readonly blocked?: boolean
}

const SKILLS: ReadonlyArray<DemoSkill> = [
  {
    name: "weather",
    description: "Looks up the forecast for a place.",
    emoji: "☔",
    homepage: "https://wttr.in/:help"
  },
  { name: "notes", description: "Keeps short notes and finds them again.", emoji: "📝" },
  { name: "summaries", description: "Summarises long pages, papers and threads.", emoji: "🗞️" },
  {
    name: "repository",
    description: "Reads a repository's issues and changes.",
    emoji: "🐙",
    homepage: "https://cli.github.com",
    missing: { bins: ["gh"] },
    install: [{ id: "brew", kind: "brew", label: "Install GitHub CLI (brew)", bins: ["gh"] }]
  },
  { name: "calendar", description: "Lists and adds appointments.", emoji: "📅", missing: { env: ["CALENDAR_TOKEN"] } },
  {
    name: "papers",
    description: "Reads PDF files, including their tables and pictures.",
    emoji: "📄",
    missing: { anyBins: ["pdftotext", "mutool"], config: ["skills.papers.folder"] },
    install: [
      { id: "apt", kind: "apt", label: "Install Poppler (apt)", bins: ["pdftotext"] },
      { id: "brew", kind: "brew", label: "Install MuPDF (brew)", bins: ["mutool"] }
    ]
  },
  {
    name: "reminders",
    description: "Adds reminders on a Mac.",
    emoji: "⏰",
    missing: { os: ["darwin"] }
  },
  { name: "shopping", description: "Orders things, after asking.", emoji: "🛒", blocked: true },
  { name: "music", description: "Picks a playlist for the moment.", emoji: "🎵", disabled: true }
]

/** The payload of `models.list`. */
export const modelCatalogue = () => ({
  models: DEMO_MODELS.map((model, index) => ({
    id: model.id,
    name: model.name,
    provider: model.provider,
    contextWindow: model.contextWindow,
    reasoning: model.thinkingLevels.length > 1,
    input: ["text", "image"],
    tags: index === 0 ? ["default", "configured"] : ["configured"],
    thinkingLevels: levelRows(model),
    thinkingDefault: model.thinkingDefault,
    available: true
  })),
  accountSelection: { kind: "automatic", label: "Automatic account selection" }
})

/** The payload of `skills.status`. */
export const skillCatalogue = () => ({
  workspaceDir: "workspace",
  managedSkillsDir: "skills",
  agentId: "main",
  skills: SKILLS.map((skill) => {
    const eligible = skill.missing === undefined && skill.disabled !== true && skill.blocked !== true
    const missing = { ...NOTHING_MISSING, ...skill.missing }
    return {
      name: skill.name,
      description: skill.description,
      source: "demo-bundled",
      bundled: true,
      filePath: `skills/${skill.name}/SKILL.md`,
      baseDir: `skills/${skill.name}`,
      skillKey: skill.name,
      emoji: skill.emoji,
      ...(skill.homepage === undefined ? {} : { homepage: skill.homepage }),
      always: false,
      disabled: skill.disabled ?? false,
      blockedByAllowlist: skill.blocked ?? false,
      eligible,
      blockedByAgentFilter: false,
      platformIncompatible: skill.missing?.os !== undefined,
      modelVisible: eligible,
      userInvocable: true,
      commandVisible: eligible,
      requirements: missing,
      missing,
      configChecks: [],
      install: skill.install ?? []
    }
  })
})

/** The payload of `tools.catalog`. */
export const toolCatalogue = () => ({
  agentId: "main",
  profiles: [{ id: "full", label: "Full" }],
  groups: [
    {
      id: "runtime",
      label: "Runtime",
      source: "core",
      tools: [{ id: "exec", label: "exec", description: "Runs a command.", source: "core", defaultProfiles: ["full"] }]
    },
    {
      id: "sessions",
      label: "Sessions",
      source: "core",
      tools: [
        {
          id: "sessions_list",
          label: "sessions_list",
          description: "Lists sessions.",
          source: "core",
          defaultProfiles: ["full"]
        },
        {
          id: "sessions_spawn",
          label: "sessions_spawn",
          description: "Starts a helper.",
          source: "core",
          defaultProfiles: ["full"]
        }
      ]
    }
  ]
})
