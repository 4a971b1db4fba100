/**
 * The tables of devices, deliveries, unfinished deliveries, and each device's refusals and key. The schema number isn't
 * raised, because the version that a rollback restores doesn't need them and would refuse a file with a newer number.
 */
export const pushAdditions = `
  CREATE TABLE IF NOT EXISTS push_devices (
    id TEXT PRIMARY KEY,
    endpoint TEXT NOT NULL UNIQUE,
    p256dh TEXT NOT NULL,
    auth TEXT NOT NULL,
    label TEXT NOT NULL,
    kinds TEXT NOT NULL,
    quiet TEXT,
    private INTEGER NOT NULL,
    direct_allow INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    last_sent_at INTEGER,
    last_error TEXT
  ) STRICT;

  CREATE TABLE IF NOT EXISTS push_deliveries (
    item TEXT NOT NULL,
    device TEXT NOT NULL,
    kind TEXT NOT NULL,
    state TEXT NOT NULL,
    PRIMARY KEY (item, device)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE IF NOT EXISTS push_tries (
    item TEXT NOT NULL,
    device TEXT NOT NULL,
    tries INTEGER NOT NULL,
    tried_at INTEGER NOT NULL,
    pause_ms INTEGER NOT NULL,
    unclear INTEGER NOT NULL,
    PRIMARY KEY (item, device)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE IF NOT EXISTS push_standing (
    device TEXT PRIMARY KEY,
    refusals INTEGER NOT NULL,
    public_key TEXT
  ) STRICT, WITHOUT ROWID;
`
