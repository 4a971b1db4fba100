import { Metric } from "effect"

// Names and units follow Prometheus conventions; no label ever contains user text, a path or a session.

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

export const cpuSeconds = Metric.gauge("process_cpu_seconds", { description: "Processor time used, in seconds" })

export const startTime = Metric.gauge("process_start_time_seconds", {
  description: "When the process started, in epoch seconds"
})

export const openFiles = Metric.gauge("process_open_fds", { description: "Open file descriptors (Linux)" })
