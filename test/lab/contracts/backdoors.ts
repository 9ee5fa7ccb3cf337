/**
 * Evaluation on small labelled sources with one owner power each. They are hardly tokens: the power is detected by
 * execution on whatever address-keyed numbers and switches the contract stores.
 */

import type { FunctionFacts } from '../../../scorer/contracts/code/abstract/facts.ts'
import { bytesOf } from '../../../scorer/contracts/code/bytecode.ts'
import { interpret } from '../../../scorer/contracts/code/interpret.ts'
import { encodeArguments } from '../../../scorer/contracts/power/calls/arguments.ts'
import { freshAddress, mapSlot } from '../../../scorer/contracts/trade/simulation-setup.ts'
import { type Lab, startLab } from '../../kit/contracts/markets/exchange-chain.ts'
import { compileRepaired } from './repair.ts'
import type { Verdict } from './sources.ts'

export type BackdoorRow = { id: string; type: string; source: string }
/** `truth`: the label; `injected`: every power of the corpus whose back door is in the source. */
type Result = { verdict: Verdict; predicted: string[]; truth: string; injected: string[] }

const SEED = 1_000n
const AMOUNT = 10n
const hex = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`

const word = async (lab: Lab, address: string, slot: string) =>
  BigInt(await lab.ask<string>('eth_getStorageAt', address, slot, 'latest'))

const isolated = async <T>(lab: Lab, work: () => Promise<T>): Promise<T> => {
  const snapshot = await lab.ask<string>('evm_snapshot')
  try {
    return await work()
  } finally {
    await lab.ask('evm_revert', snapshot)
  }
}

const accepted = async (lab: Lab, from: string, to: string, data: string): Promise<boolean> => {
  try {
    await lab.ask('eth_call', { from, to, data, gas: '0x989680' }, 'latest')
    await lab.send({ from, to, data })
    return true
  } catch {
    return false
  }
}

const gated = (facts: FunctionFacts) =>
  facts.callerSlots.length + facts.callerConstants.length + facts.callerMaps.length > 0

const argumentsOf = (facts: FunctionFacts, people: string[], flag: boolean) => {
  let n = 0
  return encodeArguments(
    facts.selector,
    facts.args.map((kind) =>
      kind === 'address'
        ? (people[n++ % people.length] ?? '')
        : kind === 'bool'
          ? flag
          : kind === 'array'
            ? { array: [people[0] ?? ''] }
            : AMOUNT,
    ),
  )
}

/** Powers of one deployed contract, derived from storage before and after each guarded call. */
const powersOf = async (lab: Lab, address: string): Promise<string[]> => {
  const { functions } = interpret(bytesOf(await lab.ask<string>('eth_getCode', address, 'latest')))
  const owner = lab.accounts[0] ?? ''
  const [victim, other] = [freshAddress('backdoor victim'), freshAddress('backdoor other')]
  for (const person of [victim, other]) await lab.ask('anvil_setBalance', person, '0xde0b6b3a7640000')
  const guarded = functions.filter((facts) => facts.writes && gated(facts))
  for (const ref of guarded.flatMap((facts) => facts.callerSlots)) {
    const now = await word(lab, address, ref.slot)
    const mask = ((1n << 160n) - 1n) << BigInt(ref.shift)
    await lab.ask('anvil_setStorageAt', address, ref.slot, hex((now & ~mask) | (BigInt(owner) << BigInt(ref.shift))))
  }
  const bases = [
    ...new Set(
      functions.flatMap((facts) => [
        ...facts.maps,
        ...facts.stores.filter((store) => store.startsWith('map:')).map((store) => store.slice(4)),
      ]),
    ),
  ].filter((base) => base !== 'other')
  const slots = bases.map((base) => ({ base, victim: mapSlot(victim, base), other: mapSlot(other, base) }))
  const found = new Set<string>()
  for (const facts of guarded) {
    const written = new Set(facts.stores.filter((store) => store.startsWith('map:')).map((store) => store.slice(4)))
    for (const slot of slots.filter((item) => written.has(item.base))) {
      for (const flag of [true, false]) {
        await isolated(lab, async () => {
          await lab.ask(
            'anvil_setStorageAt',
            address,
            slot.victim,
            hex(facts.args.includes('bool') ? (flag ? 0n : 1n) : SEED),
          )
          await lab.ask('anvil_setStorageAt', address, slot.other, hex(SEED))
          const [v0, o0] = [await word(lab, address, slot.victim), await word(lab, address, slot.other)]
          if (!(await accepted(lab, owner, address, argumentsOf(facts, [victim, other], flag)))) return
          const [v1, o1] = [await word(lab, address, slot.victim), await word(lab, address, slot.other)]
          if (facts.args.includes('bool') || !facts.args.includes('uint')) {
            if (v1 !== v0 && v1 <= 1n && v0 <= SEED) found.add('FreezeAccount')
          } else if (v1 < v0 && o1 > o0) found.add('arbitrarilyTransfer')
          else if (v1 < v0) found.add('DestroyToken')
          else if (v1 > v0) found.add('GenerateToken')
        })
      }
    }
  }
  // A switch: a guarded call without addresses after which a stranger's call is refused that was accepted before.
  const switches = guarded.filter(
    (facts) =>
      !facts.args.includes('address') &&
      !facts.args.includes('array') &&
      facts.stores.some((store) => store.startsWith('0x')),
  )
  const moves = functions.filter((facts) => facts.writes && !gated(facts) && facts.selector !== 'fallback')
  for (const facts of switches) {
    const outcome = async (flag: boolean) =>
      isolated(lab, async () => {
        for (const slot of slots)
          for (const key of [slot.victim, slot.other]) await lab.ask('anvil_setStorageAt', address, key, hex(SEED))
        if (!(await accepted(lab, owner, address, argumentsOf(facts, [victim], flag)))) return undefined
        const open: boolean[] = []
        for (const move of moves)
          open.push(await isolated(lab, () => accepted(lab, victim, address, argumentsOf(move, [other, victim], true))))
        return open
      })
    const [on, off] = [await outcome(true), await outcome(false)]
    if (on && off && on.some((open, i) => open !== off[i])) found.add('DisableTransfer')
  }
  return [...found]
}

/** Powers over everyone precede powers over one account, taking precedes stopping. */
const TYPES = ['GenerateToken', 'DisableTransfer', 'DestroyToken', 'arbitrarilyTransfer', 'FreezeAccount']

/** The back doors that the corpus injects, without white space. A label names one of those in its source. */
const INJECTED: Readonly<Record<string, RegExp>> = {
  GenerateToken: /functionissue\(address_to,uint256_amount\)publicownerOnly_test/,
  DisableTransfer: /functiondisableTransfers\(bool_disable\)publiconlyOwner_test/,
  DestroyToken: /functiondestroy\(address_from,uint256_amount\)publiconlyOwner_test/,
  arbitrarilyTransfer: /functionzero_fee_transaction\(address_from,address_to,uint256_amount\)onlyOwner_test/,
  FreezeAccount: /functionfreezeAccount\(addresstarget,boolfreeze\)onlyOwner_test/,
}

const injectedIn = (source: string): string[] => {
  const text = source.replace(/\s+/g, '')
  return TYPES.filter((type) => INJECTED[type]?.test(text))
}

const gravestOf = (predicted: string[]): string[] => TYPES.filter((type) => predicted.includes(type)).slice(0, 1)

type Outcome = { id: string; truth: string[]; predicted: string[] }
const score = (outcomes: Outcome[], type: string) => {
  const count = (is: boolean, isPredicted: boolean) =>
    outcomes.filter((item) => item.truth.includes(type) === is && item.predicted.includes(type) === isPredicted)
  const [tp, fn, extra] = [count(true, true).length, count(true, false).length, count(false, true)]
  const ratio = (a: number, b: number) => (b === 0 ? null : Number((a / b).toFixed(4)))
  return {
    positives: tp + fn,
    tp,
    fp: extra.length,
    fn,
    precision: ratio(tp, tp + extra.length),
    recall: ratio(tp, tp + fn),
    false_positives: extra.map((item) => item.id),
  }
}
const scores = (outcomes: Outcome[]) => Object.fromEntries(TYPES.map((type) => [type, score(outcomes, type)]))

/** Rows that cannot be compiled even after repairs count as missed. */
export const evaluateBackdoors = async (rows: BackdoorRow[], parallel: number) => {
  const queue = [...rows]
  const results: Result[] = []
  let repaired = 0
  const worker = async () => {
    const lab = await startLab()
    try {
      for (let row = queue.shift(); row; row = queue.shift()) {
        const { id, type, source } = row
        const { contracts, problem, rounds } = compileRepaired(source)
        if (contracts.length > 0 && rounds > 0) repaired++
        const predicted = new Set<string>()
        let deployed = 0
        const started = performance.now()
        for (const contract of contracts) {
          await isolated(lab, async () => {
            const address = freshAddress(`backdoor ${id} ${contract.name}`)
            await lab.ask('anvil_setCode', address, contract.runtime)
            deployed++
            for (const power of await powersOf(lab, address)) predicted.add(power)
          })
        }
        const verdict: Verdict = {
          id,
          label: 1,
          analysed: deployed > 0,
          note: problem,
          report: undefined,
          ms: performance.now() - started,
        }
        const injected = [...new Set([type, ...injectedIn(source)])]
        results.push({ verdict, predicted: [...predicted], truth: type, injected })
      }
    } finally {
      await lab.stop()
    }
  }
  await Promise.all(Array.from({ length: parallel }, worker))
  const metrics = {
    rows: rows.length,
    analysed: results.filter((item) => item.verdict.analysed).length,
    repaired,
    powers: scores(results.map(({ verdict: { id }, truth, predicted }) => ({ id, truth: [truth], predicted }))),
    // All back doors in the source, whether the label names them or not.
    injected_powers: scores(
      results.map(({ verdict: { id }, injected, predicted }) => ({ id, truth: injected, predicted })),
    ),
    // A label names one power of its source: here one power is named as well.
    gravest_power: scores(
      results.map(({ verdict: { id }, truth, predicted }) => ({ id, truth: [truth], predicted: gravestOf(predicted) })),
    ),
  }
  return { results, metrics }
}
