import { Metric } from "effect"

// Names and units follow Prometheus conventions; no label ever contains a user's text, a path or a session. A gateway is
// named by its id: small letters, digits and hyphens.

const PREFIX = "agent_console_"

/** Requests to the API and to `/health`, by method and class of status. */
export const requestCount = (method: string, status: string) =>
  Metric.counter(`${PREFIX}http_requests_total`, {
    description: "API requests answered",
    incremental: true,
    attributes: { method, status }
  })

/** How long they took, in seconds. */
export const requestDuration = Metric.histogram(`${PREFIX}http_request_duration_seconds`, {
  description: "Time from request to response, in seconds",
  boundaries: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
})

/** Browser connections relayed to the gateway. */
export const proxySessions = Metric.gauge(`${PREFIX}proxy_sessions`, {
  description: "Open WebSocket connections relayed to the gateway"
})

export const eventStreams = Metric.gauge(`${PREFIX}event_streams`, { description: "Open event streams" })

export const gatewayUp = Metric.gauge(`${PREFIX}gateway_up`, {
  description: "1 if the console is connected to its gateway, otherwise 0"
})

/** 0 while the console knows everything that happened on the gateway. */
export const feedLag = (gateway: string) =>
  Metric.gauge(`${PREFIX}feed_lag_seconds`, {
    description: "Time for which events of the gateway may be missing, in seconds",
    attributes: { gateway }
  })

export const outboxMessages = (state: string) =>
  Metric.gauge(`${PREFIX}outbox_messages`, { description: "Messages that aren't done", attributes: { state } })

/** 0 when none waits. */
export const outboxAge = Metric.gauge(`${PREFIX}outbox_oldest_message_age_seconds`, {
  description: "How long the oldest message that is due has waited for its gateway, in seconds"
})

/** 0 if there is none. */
export const lastBackupTime = Metric.gauge(`${PREFIX}last_backup_timestamp_seconds`, {
  description: "When the last backup was made that is still there, in epoch seconds"
})

export const backupInterval = Metric.gauge(`${PREFIX}backup_interval_seconds`, {
  description: "Time from one backup of the console's own to the next, in seconds; 0 if it makes none"
})

export const budgetCount = (state: string) =>
  Metric.gauge(`${PREFIX}budgets`, { description: "Budgets, by how much of them is spent", attributes: { state } })

export const stopped = Metric.gauge(`${PREFIX}stopped`, {
  description: "1 while everything is stopped, otherwise 0"
})

export const boardTasks = (status: string) =>
  Metric.gauge(`${PREFIX}board_tasks`, { description: "Tasks on the board", attributes: { status } })

export const usedTokens = (direction: "input" | "output") =>
  Metric.gauge(`${PREFIX}tokens`, { description: "Tokens counted in total", attributes: { direction } })

export const cost = Metric.gauge(`${PREFIX}cost_dollars`, { description: "Cost counted in total, in US dollars" })

export const info = (version: string) =>
  Metric.gauge(`${PREFIX}info`, { description: "The running version", attributes: { version } })

export const residentMemory = Metric.gauge("process_resident_memory_bytes", {
  description: "Resident memory, in bytes"
})

export const heapUsed = Metric.gauge("nodejs_heap_size_used_bytes", { description: "JavaScript heap in use, in bytes" })

export const cpuSeconds = Metric.counter("process_cpu_seconds_total", {
  description: "Processor time used, in seconds",
  incremental: true
})

export const startTime = Metric.gauge("process_start_time_seconds", {
  description: "When the process started, in epoch seconds"
})

export const openFiles = Metric.gauge("process_open_fds", { description: "Open file descriptors (Linux)" })
