/**
 * Schema of the board, one entry per number; released entries never change.
 *
 * `tasks` holds what most changes touch and stays narrow, so that a change writes few pages; long texts lie in
 * `task_texts`. `status` is the index of the column, `rank` orders its tasks and leaves gaps, so that moving a task
 * writes that task alone (`taskPlaces.ts`). `task_runs` holds the runs that are active and the stops that are still
 * owed to the gateway.
 */
export const boardMigrations: ReadonlyArray<string> = [
  `
  CREATE TABLE tasks (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    status INTEGER NOT NULL,
    rank INTEGER NOT NULL,
    version INTEGER NOT NULL,
    title TEXT NOT NULL,
    priority TEXT NOT NULL,
    created_by TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    source_session_key TEXT,
    assignee TEXT,
    labels TEXT NOT NULL,
    run TEXT,
    run_count INTEGER NOT NULL,
    result_at INTEGER,
    model TEXT,
    thinking TEXT,
    due_at INTEGER,
    estimate_min REAL,
    actual_min REAL,
    feedback_count INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX tasks_place ON tasks (status, rank, priority, assignee);
  CREATE INDEX tasks_assignee ON tasks (assignee, status, rank, priority) WHERE assignee IS NOT NULL;

  CREATE TABLE task_texts (
    task INTEGER PRIMARY KEY REFERENCES tasks (seq) ON DELETE CASCADE,
    description TEXT,
    result TEXT
  ) STRICT;

  CREATE TABLE task_labels (
    label TEXT NOT NULL,
    task INTEGER NOT NULL REFERENCES tasks (seq) ON DELETE CASCADE,
    PRIMARY KEY (label, task)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX task_labels_task ON task_labels (task);

  CREATE TABLE task_feedback (
    task INTEGER NOT NULL REFERENCES tasks (seq) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    at INTEGER NOT NULL,
    by TEXT NOT NULL,
    note TEXT NOT NULL,
    PRIMARY KEY (task, number)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE task_runs (
    session_key TEXT PRIMARY KEY,
    task_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    state TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    model TEXT NOT NULL,
    model_is_fallback INTEGER NOT NULL,
    thinking TEXT
  ) STRICT;

  CREATE TABLE proposals (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL,
    payload TEXT NOT NULL,
    source_session_key TEXT,
    proposed_by TEXT NOT NULL,
    proposed_at INTEGER NOT NULL,
    status TEXT NOT NULL,
    version INTEGER NOT NULL,
    resolved_at INTEGER,
    reason TEXT
  ) STRICT;
  CREATE INDEX proposals_status ON proposals (status, seq);

  CREATE TABLE board_config (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    value TEXT NOT NULL
  ) STRICT;
  `
]

/**
 * Whose responses' markers were read, or are read when a task's run ends; who moved, approved and sent back a task, as a
 * list in JSON; the added gateways of tasks and runs, those without a row being the primary one's; checklists, as lists
 * in JSON, comments and their number; runs that tasks have left behind; what tasks wait for, are part of and start with,
 * and the same links by the task that is waited for; automatic runs while they count, and why automatic starts were
 * switched off; saved views; routines and templates; and how many tasks each column
 * has. Not a schema number of its own: a version that an update goes back to doesn't need these tables, and
 * would refuse a file with a newer number. The counts are kept by triggers, so they stay right whatever version writes.
 */
export const boardAdditions = `
  CREATE TABLE IF NOT EXISTS read_responses (
    session_key TEXT NOT NULL,
    run_id TEXT NOT NULL,
    PRIMARY KEY (session_key, run_id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS task_history (
    task INTEGER PRIMARY KEY REFERENCES tasks (seq) ON DELETE CASCADE,
    entries TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS task_gateways (
    task INTEGER PRIMARY KEY REFERENCES tasks (seq) ON DELETE CASCADE,
    gateway TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS run_gateways (
    session_key TEXT PRIMARY KEY REFERENCES task_runs (session_key) ON DELETE CASCADE,
    gateway TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS task_extras (
    task INTEGER PRIMARY KEY REFERENCES tasks (seq) ON DELETE CASCADE,
    checklist TEXT,
    comment_count INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS task_comments (
    task INTEGER NOT NULL REFERENCES tasks (seq) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    id TEXT NOT NULL,
    at INTEGER NOT NULL,
    by TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (task, number)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS task_attempts (
    task INTEGER NOT NULL REFERENCES tasks (seq) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    run TEXT NOT NULL,
    result TEXT,
    PRIMARY KEY (task, number)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS task_flow (
    task INTEGER PRIMARY KEY REFERENCES tasks (seq) ON DELETE CASCADE,
    after_ids TEXT,
    parent_id TEXT,
    start_at INTEGER,
    auto_start INTEGER NOT NULL,
    retry TEXT,
    attempts INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS task_flow_parent ON task_flow (parent_id) WHERE parent_id IS NOT NULL;
  CREATE INDEX IF NOT EXISTS task_flow_auto ON task_flow (task) WHERE auto_start = 1;
  CREATE TABLE IF NOT EXISTS task_links (
    after_id TEXT NOT NULL,
    task INTEGER NOT NULL REFERENCES tasks (seq) ON DELETE CASCADE,
    PRIMARY KEY (after_id, task)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS task_links_task ON task_links (task);
  CREATE TABLE IF NOT EXISTS automatic_runs (
    session_key TEXT PRIMARY KEY,
    task_id TEXT NOT NULL,
    started_at INTEGER,
    failed_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS automatic_runs_task ON automatic_runs (task_id);
  CREATE TABLE IF NOT EXISTS board_breaker (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    value TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS board_views (
    id TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS board_routines (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    schedule TEXT NOT NULL,
    task TEXT NOT NULL,
    enabled INTEGER NOT NULL,
    skip_while_open INTEGER NOT NULL,
    next_at INTEGER,
    last_at INTEGER,
    last_task_id TEXT,
    version INTEGER NOT NULL,
    made INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS board_templates (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    task TEXT NOT NULL,
    version INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS column_counts (
    status INTEGER PRIMARY KEY,
    count INTEGER NOT NULL
  ) STRICT;
  CREATE TRIGGER IF NOT EXISTS tasks_counted AFTER INSERT ON tasks BEGIN
    INSERT INTO column_counts VALUES (new.status, 1) ON CONFLICT (status) DO UPDATE SET count = count + 1;
  END;
  CREATE TRIGGER IF NOT EXISTS tasks_uncounted AFTER DELETE ON tasks BEGIN
    UPDATE column_counts SET count = count - 1 WHERE status = old.status;
  END;
  CREATE TRIGGER IF NOT EXISTS tasks_recounted AFTER UPDATE OF status ON tasks WHEN old.status <> new.status BEGIN
    UPDATE column_counts SET count = count - 1 WHERE status = old.status;
    INSERT INTO column_counts VALUES (new.status, 1) ON CONFLICT (status) DO UPDATE SET count = count + 1;
  END;
  INSERT INTO column_counts SELECT status, count(*) FROM tasks
    WHERE NOT EXISTS (SELECT 1 FROM column_counts) GROUP BY status;
  INSERT OR IGNORE INTO read_responses SELECT session_key, run_id FROM task_runs;
`
