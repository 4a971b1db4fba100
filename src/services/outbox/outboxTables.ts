/**
 * Messages on their way to an agent. Not a schema number of its own: a version that an update goes back to doesn't need
 * the tables, and would refuse a file with a newer number. A row whose message is done with (`done`) keeps its id for a
 * while and no words, so that a repeated request doesn't send it again.
 */
export const outboxAdditions = `
  CREATE TABLE IF NOT EXISTS outbox_items (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    gateway_id TEXT NOT NULL,
    session_key TEXT NOT NULL,
    text TEXT NOT NULL,
    mode TEXT NOT NULL,
    place INTEGER NOT NULL,
    not_before INTEGER,
    created_at INTEGER NOT NULL,
    state TEXT NOT NULL,
    run_id TEXT NOT NULL,
    error TEXT,
    sent_at INTEGER,
    gateway_started_at REAL,
    bytes INTEGER NOT NULL,
    ended_at INTEGER
  ) STRICT;
  CREATE INDEX IF NOT EXISTS outbox_items_open ON outbox_items (gateway_id, session_key, place) WHERE state <> 'done';
  CREATE INDEX IF NOT EXISTS outbox_items_ended ON outbox_items (ended_at) WHERE ended_at IS NOT NULL;
  CREATE TABLE IF NOT EXISTS outbox_attachments (
    item TEXT NOT NULL,
    place INTEGER NOT NULL,
    name TEXT NOT NULL,
    type TEXT NOT NULL,
    size INTEGER NOT NULL,
    content BLOB NOT NULL,
    PRIMARY KEY (item, place)
  ) STRICT;
`
