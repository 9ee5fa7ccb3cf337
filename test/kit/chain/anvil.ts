/** A local Ethereum node for tests. */
import { startAnvil as startProcess, stopOnError } from '../../../deploy/demo/node/anvil.ts'
import { until } from '../until.ts'

export type AnvilOptions = {
  chainId?: number
  /** Blocks between latest and safe; finalized is twice as far (anvil's rule). */
  slotsInAnEpoch?: number
  /** Seconds between blocks; without it, blocks are mined on request and for each transaction. */
  blockTime?: number
  args?: readonly string[]
}

export type Anvil = {
  url: string
  wsUrl: string
  chainId: number
  /** @throws Error with the node's message. */
  rpc: <T = unknown>(method: string, ...params: unknown[]) => Promise<T>
  mine: (blocks: number) => Promise<void>
  /** Replaces the newest `depth` blocks by new ones of the same heights. */
  reorg: (depth: number) => Promise<void>
  /** Sends value between two of the unlocked accounts and waits until it is in a block. */
  transfer: (value?: bigint) => Promise<string>
  blockNumber: () => Promise<number>
  stop: () => Promise<void>
}

export const startAnvil = async ({
  chainId = 1,
  slotsInAnEpoch,
  blockTime,
  args = [],
}: AnvilOptions = {}): Promise<Anvil> => {
  const anvil = await startProcess({
    arguments: [
      ...['--chain-id', String(chainId)],
      ...(slotsInAnEpoch === undefined ? [] : ['--slots-in-an-epoch', String(slotsInAnEpoch)]),
      ...(blockTime === undefined ? [] : ['--block-time', String(blockTime)]),
      ...args,
    ],
  })
  const { url } = anvil

  let id = 0
  const rpc: Anvil['rpc'] = async <T>(method: string, ...params: unknown[]) => {
    id += 1
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
    })
    const answer = (await response.json()) as { result?: T; error?: { message: string } }
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`)
    return answer.result as T
  }

  const accounts = await stopOnError(anvil, () => rpc<string[]>('eth_accounts'))

  return {
    url,
    wsUrl: url.replace('http', 'ws'),
    chainId,
    rpc,
    stop: anvil.stop,
    mine: async (blocks) => {
      await rpc('anvil_mine', `0x${blocks.toString(16)}`)
    },
    reorg: async (depth) => {
      await rpc('anvil_reorg', depth, [])
    },
    transfer: async (value = 1n) => {
      const transaction = { from: accounts[0], to: accounts[1], value: `0x${value.toString(16)}` }
      const hash = await rpc<string>('eth_sendTransaction', transaction)
      await until('the transfer is mined', async () => (await rpc('eth_getTransactionReceipt', hash)) !== null)
      return hash
    },
    blockNumber: async () => Number(await rpc<string>('eth_blockNumber')),
  }
}
