/** The part of autocannon 9 that the benchmarks use; the package has no types of its own. */
declare module 'autocannon' {
  type Request = { method: string; path: string; headers: Record<string, string>; body: string }
  type Client = {
    setRequests: (requests: Request[]) => void
    on: (event: 'response', listener: () => void) => void
  }
  type Options = {
    url: string
    connections: number
    timeout: number
    amount?: number
    duration?: number
    setupClient: (client: Client) => void
  }
  type Result = {
    '2xx': number
    non2xx: number
    errors: number
    statusCodeStats: Record<string, { count: number }>
    /** Seconds. */
    duration: number
    /** Milliseconds. */
    latency: { p50: number; p99: number; max: number }
  }
  export default function autocannon(options: Options): Promise<Result>
}
