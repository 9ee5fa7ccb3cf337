import { getWebSocketRpcClient } from 'viem/utils'
import type { Clock } from '../context/clock.ts'
import { type Logger, publicUrl } from '../context/log.ts'

const RETRY_MS = 5_000

/**
 * Notifies of new heads by `eth_subscribe` over a WebSocket, and reconnects when it closes. It does not notice a
 * subscription that stops silently, so callers also poll, at a slower pace.
 * @param ready called with whether the subscription is active.
 * @returns stop.
 */
export const subscribeHeads = (
  url: string,
  { clock, log, notify, ready }: { clock: Clock; log: Logger; notify: () => void; ready: (connected: boolean) => void },
): (() => void) => {
  const stopped = new AbortController()
  const host = publicUrl(url)

  const subscribe = async () => {
    const client = await getWebSocketRpcClient(url, { reconnect: false, keepAlive: { interval: 15_000 } })
    const stop = () => client.close()
    stopped.signal.addEventListener('abort', stop, { once: true })
    try {
      await new Promise<void>((closed, failed) => {
        client.socket.addEventListener('close', () => closed())
        client.request({
          body: { method: 'eth_subscribe', params: ['newHeads'] },
          onResponse: (answer) => {
            if (answer.error) return failed(new Error(`eth_subscribe was refused (${answer.error.code})`))
            ready(true)
            notify()
          },
          onError: () => failed(new Error('the socket failed')),
        })
        client.socket.addEventListener('message', () => notify())
      })
    } finally {
      ready(false)
      stopped.signal.removeEventListener('abort', stop)
      client.close()
    }
  }

  const run = async () => {
    while (!stopped.signal.aborted) {
      try {
        await subscribe()
      } catch {
        log.warn({ host }, 'failed to subscribe to new heads, polling until it works')
      }
      if (!stopped.signal.aborted) await clock.sleep(RETRY_MS, stopped.signal).catch(() => undefined)
    }
  }
  void run()
  return () => stopped.abort()
}
