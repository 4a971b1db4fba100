/** Everything of the board lives in this schema, so that a database can hold other things too. */
export const BOARD_SCHEMA = "agent_console"

/** What other consoles are woken with; the payload says nothing. */
export const BOARD_CHANNEL = "agent_console_board"

/** Consoles that start at the same time make or change the tables one after the other. */
export const MIGRATION_LOCK = 7_203_915_514

/** Creates the table with the schema's number. */
export const schemaNumber: ReadonlyArray<string> = [
  `CREATE SCHEMA IF NOT EXISTS ${BOARD_SCHEMA}`,
  `CREATE TABLE IF NOT EXISTS ${BOARD_SCHEMA}.board_schema ("only" integer PRIMARY KEY CHECK ("only" = 1), number integer NOT NULL)`,
  `INSERT INTO ${BOARD_SCHEMA}.board_schema VALUES (1, 0) ON CONFLICT DO NOTHING`
]

/**
 * Schema of the board in PostgreSQL, one list of statements per number; released entries never change. The tables are
 * those of `boardMigrations.ts`, and three things that only several consoles need: `board_state` makes writers wait
 * for each other and counts their commits, `board_events` keeps what each of them published, and a run belongs to the
 * console whose lease on it hasn't ended.
 */
export const postgresMigrations: ReadonlyArray<ReadonlyArray<string>> = [
  [
    `CREATE TABLE tasks (
      seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      id text NOT NULL UNIQUE,
      status integer NOT NULL,
      rank bigint NOT NULL,
      version bigint NOT NULL,
      title text NOT NULL,
      priority text NOT NULL,
      created_by text NOT NULL,
      created_at bigint NOT NULL,
      updated_at bigint NOT NULL,
      source_session_key text,
      assignee text,
      labels text NOT NULL,
      run text,
      run_count integer NOT NULL,
      result_at bigint,
      model text,
      thinking text,
      due_at bigint,
      estimate_min double precision,
      actual_min double precision,
      feedback_count integer NOT NULL
    )`,
    "CREATE INDEX tasks_place ON tasks (status, rank)",
    "CREATE INDEX tasks_assignee ON tasks (assignee, status, rank) WHERE assignee IS NOT NULL",
    `CREATE TABLE task_texts (
      task bigint PRIMARY KEY REFERENCES tasks (seq) ON DELETE CASCADE,
      description text,
      result text
    )`,
    `CREATE TABLE task_labels (
      label text NOT NULL,
      task bigint NOT NULL REFERENCES tasks (seq) ON DELETE CASCADE,
      PRIMARY KEY (label, task)
    )`,
    "CREATE INDEX task_labels_task ON task_labels (task)",
    `CREATE TABLE task_feedback (
      task bigint NOT NULL REFERENCES tasks (seq) ON DELETE CASCADE,
      number integer NOT NULL,
      at bigint NOT NULL,
      by text NOT NULL,
      note text NOT NULL,
      PRIMARY KEY (task, number)
    )`,
    `CREATE TABLE task_history (
      task bigint PRIMARY KEY REFERENCES tasks (seq) ON DELETE CASCADE,
      entries text NOT NULL
    )`,
    `CREATE TABLE task_runs (
      session_key text PRIMARY KEY,
      task_id text NOT NULL,
      run_id text NOT NULL,
      state text NOT NULL,
      started_at bigint NOT NULL,
      model text NOT NULL,
      model_is_fallback integer NOT NULL,
      thinking text,
      gateway text NOT NULL DEFAULT '',
      owner text NOT NULL DEFAULT '',
      fence bigint NOT NULL DEFAULT 0,
      lease_until timestamptz NOT NULL DEFAULT '-infinity'
    )`,
    "CREATE INDEX task_runs_lease ON task_runs (lease_until)",
    `CREATE TABLE proposals (
      seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      id text NOT NULL UNIQUE,
      type text NOT NULL,
      payload text NOT NULL,
      source_session_key text,
      proposed_by text NOT NULL,
      proposed_at bigint NOT NULL,
      status text NOT NULL,
      version bigint NOT NULL,
      resolved_at bigint,
      reason text
    )`,
    "CREATE INDEX proposals_status ON proposals (status, seq)",
    `CREATE TABLE board_config ("only" integer PRIMARY KEY CHECK ("only" = 1), value text NOT NULL)`,
    `CREATE TABLE read_responses (
      session_key text NOT NULL,
      run_id text NOT NULL,
      PRIMARY KEY (session_key, run_id)
    )`,
    `CREATE TABLE board_state (
      "only" integer PRIMARY KEY CHECK ("only" = 1),
      revision bigint NOT NULL,
      generation bigint NOT NULL
    )`,
    "INSERT INTO board_state VALUES (1, 0, 0)",
    `CREATE TABLE board_events (
      revision bigint PRIMARY KEY,
      at timestamptz NOT NULL DEFAULT clock_timestamp(),
      body text NOT NULL
    )`,
    "CREATE INDEX board_events_at ON board_events (at)"
  ],
  [
    `CREATE TABLE task_gateways (
      task bigint PRIMARY KEY REFERENCES tasks (seq) ON DELETE CASCADE,
      gateway text NOT NULL
    )`,
    `CREATE TABLE run_gateways (
      session_key text PRIMARY KEY REFERENCES task_runs (session_key) ON DELETE CASCADE,
      gateway text NOT NULL
    )`
  ],
  [
    `CREATE TABLE task_extras (
      task bigint PRIMARY KEY REFERENCES tasks (seq) ON DELETE CASCADE,
      checklist text,
      comment_count integer NOT NULL
    )`,
    `CREATE TABLE task_comments (
      task bigint NOT NULL REFERENCES tasks (seq) ON DELETE CASCADE,
      number integer NOT NULL,
      id text NOT NULL,
      at bigint NOT NULL,
      by text NOT NULL,
      text text NOT NULL,
      PRIMARY KEY (task, number)
    )`,
    `CREATE TABLE board_views (
      id text PRIMARY KEY,
      value text NOT NULL
    )`
  ],
  [
    `CREATE TABLE task_attempts (
      task bigint NOT NULL REFERENCES tasks (seq) ON DELETE CASCADE,
      number integer NOT NULL,
      run text NOT NULL,
      result text,
      PRIMARY KEY (task, number)
    )`
  ],
  [
    `CREATE TABLE task_flow (
      task bigint PRIMARY KEY REFERENCES tasks (seq) ON DELETE CASCADE,
      after_ids text,
      parent_id text,
      start_at bigint,
      auto_start integer NOT NULL,
      retry text,
      attempts integer NOT NULL
    )`,
    "CREATE INDEX task_flow_parent ON task_flow (parent_id) WHERE parent_id IS NOT NULL",
    "CREATE INDEX task_flow_auto ON task_flow (task) WHERE auto_start = 1",
    `CREATE TABLE task_links (
      after_id text NOT NULL,
      task bigint NOT NULL REFERENCES tasks (seq) ON DELETE CASCADE,
      PRIMARY KEY (after_id, task)
    )`,
    "CREATE INDEX task_links_task ON task_links (task)"
  ],
  [
    `CREATE TABLE board_routines (
      id text PRIMARY KEY,
      name text NOT NULL,
      schedule text NOT NULL,
      task text NOT NULL,
      enabled integer NOT NULL,
      skip_while_open integer NOT NULL,
      next_at bigint,
      last_at bigint,
      last_task_id text,
      version bigint NOT NULL,
      made bigint NOT NULL
    )`,
    `CREATE TABLE board_templates (
      id text PRIMARY KEY,
      name text NOT NULL,
      task text NOT NULL,
      version bigint NOT NULL
    )`
  ],
  [
    `CREATE TABLE automatic_runs (
      session_key text PRIMARY KEY,
      task_id text NOT NULL,
      started_at bigint,
      failed_at bigint
    )`,
    "CREATE INDEX automatic_runs_task ON automatic_runs (task_id)",
    `CREATE TABLE board_breaker ("only" integer PRIMARY KEY CHECK ("only" = 1), value text NOT NULL)`
  ]
]
