/**
 * Schema of `{svc_home}/search.db`, one entry per number; released entries never change.
 *
 * The id of an entry is its time in milliseconds times 1024, plus a number, so that the index's own order is that of
 * time and the newest hits are found first. `places` are conversations, and for every other kind one place for each
 * agent. `texts` has the compressed texts for snippets, and an id is free when it isn't in there: entries leave
 * `entries` at once and the rest bit by bit (`garbage`). `added` counts what was added together. `transcripts` says how
 * far each file has been read, and whether it has copies of messages that are entries of another file. Where texts are
 * kept in other words than before, an entry empties the index, and everything is read again.
 */
export const searchMigrations: ReadonlyArray<string> = [
  `
  CREATE TABLE places (
    id INTEGER PRIMARY KEY,
    kind INTEGER NOT NULL,
    gateway TEXT NOT NULL,
    name TEXT NOT NULL,
    agent TEXT NOT NULL,
    title TEXT,
    read_to REAL,
    UNIQUE (kind, gateway, name, agent)
  ) STRICT;

  CREATE TABLE entries (
    id INTEGER PRIMARY KEY,
    place INTEGER NOT NULL,
    key TEXT NOT NULL,
    role INTEGER NOT NULL,
    stamp TEXT NOT NULL,
    added INTEGER NOT NULL,
    transcript INTEGER
  ) STRICT;
  CREATE UNIQUE INDEX entries_key ON entries (place, key);
  CREATE INDEX entries_transcript ON entries (transcript) WHERE transcript IS NOT NULL;

  CREATE TABLE texts (id INTEGER PRIMARY KEY, packed INTEGER NOT NULL, body BLOB NOT NULL) STRICT;

  CREATE TABLE garbage (id INTEGER PRIMARY KEY) STRICT;

  CREATE TABLE transcripts (
    id INTEGER PRIMARY KEY,
    folder TEXT NOT NULL,
    name TEXT NOT NULL,
    place INTEGER NOT NULL,
    inode REAL NOT NULL,
    size INTEGER NOT NULL,
    mtime_ms REAL NOT NULL,
    offset INTEGER NOT NULL,
    tail TEXT NOT NULL,
    UNIQUE (folder, name)
  ) STRICT;

  CREATE TABLE state (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    complete INTEGER NOT NULL,
    added INTEGER NOT NULL
  ) STRICT;
  INSERT INTO state VALUES (1, 0, 0);

  CREATE VIRTUAL TABLE words USING fts5 (
    text, parts, tags, content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '2 3'
  );
  `,
  `
  DELETE FROM entries;
  DELETE FROM texts;
  DELETE FROM garbage;
  DELETE FROM transcripts;
  DELETE FROM places;
  DROP TABLE words;
  CREATE VIRTUAL TABLE words USING fts5 (
    text, parts, names, tags, content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '2 3'
  );
  UPDATE state SET complete = 0;
  ALTER TABLE transcripts ADD COLUMN copies INTEGER NOT NULL DEFAULT 0;
  `
]
