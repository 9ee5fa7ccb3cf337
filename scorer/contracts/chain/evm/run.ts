/** Runs the calls of a job in an EVM. Only loaded when @ethereumjs/evm is installed. */
import { type Common, createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common'
import { createEVM } from '@ethereumjs/evm'
import { bytesToHex, createAddressFromString, createZeroAddress, hexToBytes } from '@ethereumjs/util'
import type { Job } from './protocol.ts'
import { createOverlayState, type NodeState } from './state.ts'

/** Gas of a call that states none. */
const CALL_GAS = 500_000_000n
const bytes = (hex: string) => hexToBytes(hex as `0x${string}`)

/** Caches `isActivatedEIP`: its answers never change within a job, and every opcode asks. */
const withCachedEips = (common: Common): Common => {
  const active = new Map<number, boolean>()
  const ask = common.isActivatedEIP.bind(common)
  common.isActivatedEIP = (eip) => {
    const known = active.get(eip) ?? ask(eip)
    active.set(eip, known)
    return known
  }
  return common
}

/** Runs a job. Returns the return data of each call, `undefined` for failed calls. */
export const runJob = async ({ pinned, blocks, overrides }: Job, node: NodeState): Promise<(string | undefined)[]> => {
  const common = withCachedEips(createCustomCommon({ chainId: pinned.chainId }, Mainnet, { hardfork: Hardfork.Prague }))
  const stateManager = createOverlayState(node, overrides)
  const evm = await createEVM({ common, stateManager, allowUnlimitedContractSize: true })
  const results: (string | undefined)[] = []
  for (const { call, moment } of blocks) {
    const header = {
      number: BigInt(moment?.number ?? pinned.height),
      timestamp: BigInt(moment?.time ?? pinned.time),
      coinbase: createAddressFromString(moment?.coinbase ?? pinned.coinbase),
      difficulty: 0n,
      prevRandao: bytes(moment?.prevRandao ?? pinned.prevRandao),
      gasLimit: BigInt(pinned.gasLimit),
      baseFeePerGas: moment?.baseFee ?? pinned.baseFee,
      getBlobGasPrice: () => 1n,
    }
    const caller = call.from ? createAddressFromString(call.from) : createZeroAddress()
    const to = createAddressFromString(call.to)
    stateManager.originalStorageCache.clear()
    evm.journal.addAlwaysWarmAddress(call.to.slice(2))
    evm.journal.addAlwaysWarmAddress(caller.toString().slice(2))
    const { execResult } = await evm.runCall({
      caller,
      to,
      data: bytes(call.data),
      gasLimit: BigInt(call.gas ?? CALL_GAS),
      gasPrice: BigInt(call.gasPrice ?? 0),
      value: BigInt(call.value ?? 0),
      skipBalance: true,
      block: { header },
    })
    await evm.journal.cleanup()
    results.push(execResult.exceptionError ? undefined : bytesToHex(execResult.returnValue))
  }
  return results
}
