import { SUM_COLUMNS } from "../UsageRow.ts"

const SUMS = SUM_COLUMNS.map((name) => `${name} INTEGER NOT NULL`).join(", ")
const SUM_NAMES = SUM_COLUMNS.join(", ")
const SUMMED = SUM_COLUMNS.map((name) => `SUM(u.${name}) AS ${name}`).join(", ")
/** What the gateway reported beyond its files: the same answers are in both, but never counted twice. */
const BEYOND = SUM_COLUMNS.map((name) => `MAX(g.${name} - COALESCE(f.${name}, 0), 0)`).join(", ")

/**
 * Schema of `{svc_home}/usage.db`, one entry per number; released entries never change.
 *
 * `transcripts` says how far each file has been read and `transcript_usage` what's in it now; both are deleted with the
 * file. `kept_usage` has everything ever counted, once per session, and `sessions` up to when. `gateway_usage` is what
 * the gateway itself reported. `rates` are billionths of a dollar per token. `carried` is what USAGE_FILE had beyond
 * the transcripts when this file was created, and when the totals last changed. `current_usage` and `all_usage` combine
 * both sources.
 */
export const usageMigrations: ReadonlyArray<string> = [
  `
  CREATE TABLE transcripts (
    id INTEGER PRIMARY KEY,
    folder TEXT NOT NULL,
    name TEXT NOT NULL,
    agent TEXT NOT NULL,
    session TEXT NOT NULL,
    live INTEGER NOT NULL,
    inode REAL NOT NULL,
    size INTEGER NOT NULL,
    mtime_ms REAL NOT NULL,
    offset INTEGER NOT NULL,
    tail TEXT NOT NULL,
    newest TEXT NOT NULL,
    UNIQUE (folder, name)
  ) STRICT;
  CREATE INDEX transcripts_session ON transcripts (session);

  CREATE TABLE transcript_usage (
    transcript INTEGER NOT NULL REFERENCES transcripts (id) ON DELETE CASCADE,
    day TEXT NOT NULL,
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    priced INTEGER NOT NULL,
    ${SUMS},
    PRIMARY KEY (transcript, day, provider, model, priced)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE kept_usage (
    day TEXT NOT NULL,
    agent TEXT NOT NULL,
    session TEXT NOT NULL,
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    priced INTEGER NOT NULL,
    ${SUMS},
    PRIMARY KEY (day, agent, session, provider, model, priced)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE sessions (
    agent TEXT NOT NULL,
    session TEXT NOT NULL,
    newest TEXT NOT NULL,
    PRIMARY KEY (agent, session)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE gateway_usage (
    day TEXT NOT NULL,
    agent TEXT NOT NULL,
    session TEXT NOT NULL,
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    ${SUMS},
    PRIMARY KEY (day, agent, session, provider, model)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE rates (
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    input REAL NOT NULL,
    output REAL NOT NULL,
    cache_read REAL NOT NULL,
    cache_write REAL NOT NULL,
    PRIMARY KEY (provider, model)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE carried (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    input INTEGER NOT NULL,
    output INTEGER NOT NULL,
    nano_dollars INTEGER NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT;

  CREATE VIEW current_usage AS
  SELECT u.day, t.agent, t.session, u.provider, u.model, u.priced, ${SUM_NAMES}
  FROM transcript_usage u JOIN transcripts t ON t.id = u.transcript
  WHERE t.live = 1
  UNION ALL
  SELECT g.day, g.agent, g.session, g.provider, g.model, 1, ${BEYOND}
  FROM gateway_usage g LEFT JOIN (
    SELECT u.day, t.session, u.provider, u.model, ${SUMMED}
    FROM transcript_usage u JOIN transcripts t ON t.id = u.transcript
    WHERE t.live = 1 AND t.session IN (SELECT session FROM gateway_usage)
    GROUP BY u.day, t.session, u.provider, u.model
  ) f USING (day, session, provider, model);

  CREATE VIEW all_usage AS
  SELECT day, agent, session, provider, model, priced, ${SUM_NAMES} FROM kept_usage
  UNION ALL
  SELECT g.day, g.agent, g.session, g.provider, g.model, 1, ${BEYOND}
  FROM gateway_usage g LEFT JOIN (
    SELECT u.day, u.session, u.provider, u.model, ${SUMMED}
    FROM kept_usage u
    WHERE u.session IN (SELECT session FROM gateway_usage)
    GROUP BY u.day, u.session, u.provider, u.model
  ) f USING (day, session, provider, model);
  `
]

/**
 * `session_work`: what sessions were for (`task:<id>`, `cron:<id>`); kept when the gateway has forgotten them. `answers`:
 * every answer ever counted, and the transcript in which it counts now (0: none). `readings`: how far each transcript was
 * read while answers were noted, and whether it has copies of answers that count elsewhere. `former_sessions` and
 * `recount` are what versions counted that didn't note answers.
 *
 * Not schema numbers of their own: a version that an update goes back to doesn't need them, and would refuse a file with
 * a newer number.
 */
export const usageAdditions = `
  CREATE TABLE IF NOT EXISTS session_work (
    session TEXT PRIMARY KEY,
    work TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE IF NOT EXISTS answers (key INTEGER PRIMARY KEY, transcript INTEGER NOT NULL) STRICT;

  CREATE TABLE IF NOT EXISTS readings (
    transcript INTEGER PRIMARY KEY REFERENCES transcripts (id) ON DELETE CASCADE,
    offset INTEGER NOT NULL,
    copies INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE IF NOT EXISTS former_sessions (
    agent TEXT NOT NULL,
    session TEXT NOT NULL,
    newest TEXT NOT NULL,
    PRIMARY KEY (agent, session)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE IF NOT EXISTS recount (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    input INTEGER NOT NULL,
    output INTEGER NOT NULL,
    nano_dollars INTEGER NOT NULL
  ) STRICT;
`
