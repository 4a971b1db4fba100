import { posix } from "node:path"
import { Effect, Layer } from "effect"
import { agentTokenAdditions } from "../services/access/agents/AgentTokens.ts"
import { boardAdditions, boardMigrations } from "../services/board/store/boardMigrations.ts"
import { taskMatches } from "../services/board/store/taskList.ts"
import { budgetAdditions } from "../services/budgets/budgetTable.ts"
import { heldAdditions } from "../services/budgets/heldSession.ts"
import { spendAdditions } from "../services/budgets/spendTable.ts"
import { askedAgainAdditions } from "../services/conversations/askedAgainTable.ts"
import { draftAdditions } from "../services/drafts/draftStore.ts"
import { feedAdditions } from "../services/gateway/feed/feedPosition.ts"
import { sessionMarkAdditions } from "../services/gateway/sessions/sessionMark.ts"
import { agentQuestionAdditions } from "../services/inbox/agentQuestions.ts"
import { dismissedAdditions } from "../services/inbox/blockedItems.ts"
import { inboxAdditions } from "../services/inbox/inboxTable.ts"
import { outboxAdditions } from "../services/outbox/outboxTable.ts"
import { Settings } from "../services/platform/settings/Settings.ts"
import { openSqlite } from "../services/platform/sqlite/openSqlite.ts"
import { Sqlite } from "../services/platform/sqlite/Sqlite.ts"
import { whyAdditions } from "../services/platform/sqlite/storedWhys.ts"
import { readyAdditions } from "../services/platform/sqlite/storeReady.ts"
import { pushAdditions } from "../services/push/deliveryStore.ts"
import { firstWordsAdditions } from "../services/sessions/firstWordsTable.ts"

const boardFunctions = { task_matches: taskMatches }

const open = (path: string, onDamage: "setAside" | "fail") =>
  openSqlite({
    path,
    what: "the board's file",
    migrations: boardMigrations,
    additions: `${boardAdditions}${feedAdditions}${inboxAdditions}${dismissedAdditions}${pushAdditions}${outboxAdditions}${draftAdditions}${sessionMarkAdditions}${agentTokenAdditions}${agentQuestionAdditions}${readyAdditions}${whyAdditions}${budgetAdditions}${heldAdditions}${spendAdditions}${firstWordsAdditions}${askedAgainAdditions}`,
    functions: boardFunctions,
    onDamage
  })

const openConsoleDatabase = (onDamage: "setAside" | "fail") =>
  Effect.flatMap(Settings, ({ svcHome }) => open(posix.join(svcHome, "console.db"), onDamage))

/** The console's database, `{svc_home}/console.db`, migrated, open as long as the process runs. */
export const SqliteLive = Layer.effect(Sqlite, openConsoleDatabase("setAside"))

/** The same while a console may be running: a damaged file is left for that console to handle. */
export const SqliteBeside = Layer.effect(Sqlite, openConsoleDatabase("fail"))

/** The same in memory, for tests. */
export const SqliteMemory = Layer.effect(Sqlite, open(":memory:", "fail"))
